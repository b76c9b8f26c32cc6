import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { link, mkdir, open, rename, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { Paths } from '#lib/vfs/file-changes.ts';
import { type BlobId, NO_BLOB, type NodeId, type NodeState, type NodeTree, TreeOverlay } from '#lib/vfs/node-tree.ts';
import { basename, dirname } from '#lib/vfs/paths.ts';
import type { Commit } from '#lib/vfs/workspace-storage.ts';
import { diskError } from './disk-error.ts';
import { diskTarget } from './link-target.ts';
import { openFile, removeEntry, whileInDirectory } from './pinned-directory.ts';

/** Prefix of the staging folder, which is next to the files, so that moving files into place is a rename. */
const STAGING = '.roundtrip-staging-';

/** Whether a name is that of a staging folder, in use or left over from a process that ended. */
export const isStaging = (name: string): boolean => name.startsWith(STAGING);

/** The process that made a staging folder, and the commit that it was made for. */
export function stagingOf(name: string): { pid: number; commit: string } {
  const [pid = '', ...commit] = name.slice(STAGING.length).split('-');
  return { pid: Number(pid), commit: commit.join('-') };
}

/** How a commit is noted. */
export interface CommitNote {
  /** Names the commit. */
  id: string;
  /** All changes have been made; what was there before may be deleted. */
  onApplied(): Promise<void>;
}

/** A node that a commit touches: its path and state before and after. */
interface Touched {
  id: NodeId;
  before: NodeState | undefined;
  from: string | undefined;
  after: NodeState | undefined;
  to: string | undefined;
}

/**
 * Applies a commit to the files in `root`, whose state must be that of `tree`, all or nothing: new contents are staged
 * first, and if something fails, the changes made so far are rolled back. Rejects with FileSystemError.
 */
export async function applyCommit(root: string, tree: NodeTree, commit: Commit, note?: CommitNote): Promise<void> {
  const work = new DiskCommit(root, tree, commit, note?.id ?? randomUUID());
  try {
    await work.run();
    await note?.onApplied();
  } catch (error) {
    // The staging folder has the only copy of what could not be restored, so it is kept for the user to find.
    if (await work.takeBack()) await work.clean();
    throw diskError(work.at, error);
  }
  await work.clean();
}

class DiskCommit {
  /** The path that is being worked on. */
  at = '/';
  readonly #root: string;
  readonly #staging: string;
  readonly #tree: NodeTree;
  readonly #blobs: ReadonlyMap<BlobId, Uint8Array>;
  readonly #touched: Touched[];
  /** Undo operations, in the order of the changes. */
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(root: string, tree: NodeTree, { changes, blobs }: Commit, id: string) {
    this.#root = root;
    this.#staging = `/${STAGING}${process.pid}-${id}`;
    this.#tree = tree;
    this.#blobs = blobs;
    const next = new TreeOverlay(tree);
    next.apply(changes);
    const [before, after] = [new Paths(tree), new Paths(next)];
    this.#touched = Array.from(changes.keys(), (id) => ({
      id,
      before: tree.node(id),
      from: before.of(id),
      after: next.node(id),
      to: after.of(id),
    }));
  }

  async run(): Promise<void> {
    await mkdir(join(this.#root, this.#staging));
    const written = this.#touched.filter(({ before, after }) => after?.type === 'file' && hasNewContent(before, after));
    for (const { id, after, to = '/' } of written) {
      this.at = to;
      await this.#stage(id, after as NodeState);
    }
    // Deepest first: entries are moved out of a directory before the directory itself is moved.
    const leaving = this.#touched.filter(({ from, to }) => from !== undefined && from !== to);
    for (const { id, from = '/' } of byDepth(leaving, 'from').reverse()) {
      this.at = from;
      await this.#move(from, this.#staged(id, 'old'));
    }
    for (const touched of byDepth(this.#touched, 'to')) {
      this.at = touched.to ?? '/';
      await this.#place(touched);
    }
  }

  /** Rolls back all changes; returns whether that succeeded completely. */
  async takeBack(): Promise<boolean> {
    let isWhole = true;
    for (const undo of this.#undo.reverse())
      await undo().catch(() => {
        isWhole = false;
      });
    return isWhole;
  }

  async clean(): Promise<void> {
    // If another program is in the way, the next process that recovers the folder removes the rest.
    await removeEntry(this.#root, '/', basename(this.#staging)).catch(() => undefined);
  }

  #staged = (id: NodeId, kind: 'new' | 'old'): string => `${this.#staging}/${kind}-${id}`;

  /** Runs an operation on an entry, with its directory held open. */
  #on<T>(path: string, use: (place: string) => Promise<T>): Promise<T> {
    return whileInDirectory(this.#root, dirname(path), (at) => use(at(basename(path))));
  }

  /** Writes a file's content to the staging folder. */
  async #stage(id: NodeId, { blob, mode, mtimeMs }: NodeState): Promise<void> {
    const staged = this.#staged(id, 'new');
    const data = blob === NO_BLOB ? new Uint8Array() : this.#blobs.get(blob);
    await this.#on(staged, async (place) => {
      if (data === undefined) await this.#copy(this.#pathOf(blob), place);
      else await writeFile(place, data, { flag: 'wx' });
    });
    await this.#setAttributes(staged, mode, mtimeMs);
  }

  #pathOf(blob: BlobId): string {
    const paths = new Paths(this.#tree);
    for (const [id, state] of this.#tree.nodes()) if (state.blob === blob) return paths.of(id) ?? '/';
    throw new FileSystemError('EIO', '/');
  }

  async #place({ id, before, from, after, to }: Touched): Promise<void> {
    if (after === undefined || to === undefined) return;
    const isThere = from === to;
    if (after.type === 'file' && hasNewContent(before, after)) {
      if (isThere) await this.#keepOld(id, to);
      await this.#move(this.#staged(id, 'new'), to);
    } else if (!isThere && from !== undefined) await this.#move(this.#staged(id, 'old'), to);
    else if (!isThere && after.type === 'directory') {
      await this.#on(to, (place) => mkdir(place));
      this.#undo.push(() => this.#on(to, (place) => rmdir(place)));
    } else if (!isThere && after.type === 'symlink') {
      await this.#on(to, (place) => symlink(diskTarget(to, after.target ?? ''), place));
      this.#undo.push(() => this.#on(to, (place) => unlink(place)));
      return;
    }
    if (after.type !== 'symlink' && (before?.mode !== after.mode || before?.mtimeMs !== after.mtimeMs))
      await this.#setAttributes(to, after.mode, after.mtimeMs);
  }

  async #move(from: string, to: string): Promise<void> {
    const move = (one: string, other: string) =>
      this.#on(one, (source) => this.#on(other, (target) => rename(source, target)));
    await move(from, to);
    this.#undo.push(() => move(to, from));
  }

  /** Keeps a file that is about to be replaced, so that the replacement is a single rename. */
  async #keepOld(id: NodeId, path: string): Promise<void> {
    const old = this.#staged(id, 'old');
    await this.#on(path, (place) => this.#on(old, (kept) => link(place, kept).catch(() => this.#copy(path, kept))));
    this.#undo.push(() => this.#on(old, (kept) => this.#on(path, (place) => rename(kept, place))));
  }

  async #copy(path: string, kept: string): Promise<void> {
    await writeFile(kept, createReadStream('', { fd: openFile(this.#root, path) }), { flag: 'wx' });
  }

  async #setAttributes(path: string, mode: number, mtimeMs: number): Promise<void> {
    await this.#on(path, async (place) => {
      // Not by the path, which would follow a symlink.
      const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        await file.chmod(mode);
        await file.utimes(new Date(mtimeMs), new Date(mtimeMs));
      } finally {
        await file.close();
      }
    });
  }
}

const hasNewContent = (before: NodeState | undefined, after: NodeState): boolean =>
  before === undefined || before.type !== 'file' || before.blob !== after.blob;

const byDepth = (touched: readonly Touched[], side: 'from' | 'to'): Touched[] =>
  touched.filter((one) => one[side] !== undefined).sort((one, other) => depth(one[side]) - depth(other[side]));

const depth = (path = ''): number => (path === '/' ? 0 : path.split('/').length);
