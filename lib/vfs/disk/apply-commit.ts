import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  constants,
  createReadStream,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { link, mkdir, open, rmdir, symlink, writeFile } from 'node:fs/promises';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { Paths } from '#lib/vfs/file-changes.ts';
import { type BlobId, NO_BLOB, type NodeId, type NodeState, type NodeTree, TreeOverlay } from '#lib/vfs/node-tree.ts';
import { basename, dirname } from '#lib/vfs/paths.ts';
import type { Commit } from '#lib/vfs/workspace-storage.ts';
import { codeOf, diskError } from './disk-error.ts';
import { diskTarget } from './link-target.ts';
import { openFile, removeEntry, whileInDirectory } from './pinned-directory.ts';

/**
 * The default staging folder, for contents that are being written or replaced, as a path from the root of the workspace. It is
 * on the same disk, so that moving files into place is a rename. Each commit has a folder in it, named by its id.
 */
export const STAGING = '/.roundtrip-staging';

/** Thrown if another program has changed something right before it was replaced or removed. Nothing is lost then. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
  readonly path: string;

  constructor(path: string) {
    super(`${path} was changed by another program.`);
    this.path = path;
  }
}

/**
 * A commit that is to be applied to a directory on disk by the command line: with the directory's path, its files before the
 * commit, the folder for what is prepared, and a check for changes by other programs.
 */
export interface CommitToApply {
  /** The directory on disk; real and absolute. */
  root: string;
  /** The files before the commit. */
  tree: NodeTree;
  commit: Commit;
  /** The staging folder, as a path from the root of the workspace. */
  staging: string;
  /**
   * Checks whether the entry at an address on disk is still the node as the tree has it. It may have been moved to that
   * address.
   */
  isUnchanged(id: NodeId, place: string): boolean;
}

/** The id of a commit in its record, and callbacks for how it ends. */
interface CommitNote {
  /** Names the commit in its record, and its folder in the staging folder. */
  id: string;
  /** Called when all changes have been made, before the replaced contents are deleted. */
  onApplied(): Promise<void>;
  /** Called when the commit failed, and all of its changes have been rolled back. */
  onTakenBack(): Promise<void>;
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
 * Applies a commit to the files in `root`, whose state must be that of `tree`, all or nothing: new contents are staged first,
 * and if something fails, the changes made so far are rolled back. What cannot be rolled back stays in the staging folder.
 * `note`: the commit's id in its record, and callbacks for how it ends. Rejects with `ChangedMeanwhile` if another program
 * changes something that the commit replaces or removes, otherwise with `FileSystemError`.
 */
export async function applyCommit(given: CommitToApply, note?: CommitNote): Promise<void> {
  const work = new DiskCommit(given, note?.id ?? randomUUID());
  try {
    await work.run();
    await note?.onApplied();
  } catch (error) {
    // The staging folder has the only copy of what could not be restored, so it is kept for the user to find.
    if (await work.takeBack()) {
      await note?.onTakenBack();
      await work.clean();
    }
    throw error instanceof ChangedMeanwhile ? error : diskError(work.at, error);
  }
  await work.clean();
}

class DiskCommit {
  /** The path that is being worked on, which an error names. */
  at = '/';
  readonly #root: string;
  readonly #parent: string;
  readonly #staging: string;
  readonly #isUnchanged: CommitToApply['isUnchanged'];
  readonly #tree: NodeTree;
  readonly #blobs: ReadonlyMap<BlobId, Uint8Array>;
  readonly #touched: Touched[];
  /** For each path, the mark of the entry that this commit put there, to tell it from what other programs put there later. */
  readonly #placed = new Map<string, string | undefined>();
  /** Functions that undo the changes made so far, in the order of the changes. */
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor({ root, tree, commit: { changes, blobs }, staging, isUnchanged }: CommitToApply, id: string) {
    this.#root = root;
    this.#parent = staging;
    this.#staging = `${staging}/${id}`;
    this.#isUnchanged = isUnchanged;
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
    await this.#on(this.#parent, (place) => mkdir(place, { recursive: true }));
    await this.#on(this.#staging, (place) => mkdir(place));
    const written = this.#touched.filter(({ before, after }) => after?.type === 'file' && hasNewContent(before, after));
    for (const { id, after, to = '/' } of written) {
      this.at = to;
      await this.#stage(id, after as NodeState);
    }
    // Deepest first: entries are moved out of a directory before the directory itself is moved.
    const leaving = this.#touched.filter(({ from, to }) => from !== undefined && from !== to);
    for (const { id, from = '/', after } of byDepth(leaving, 'from').reverse()) {
      this.at = from;
      await this.#move(from, this.#staged(id, 'old'));
      await this.#checkOld(id, from, after === undefined);
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
    await removeEntry(this.#root, this.#parent, basename(this.#staging)).catch(() => undefined);
    // Others may be using it.
    await this.#on(this.#parent, (place) => rmdir(place)).catch(() => undefined);
  }

  #staged = (id: NodeId, kind: 'new' | 'old'): string => `${this.#staging}/${kind}-${id}`;

  /** Calls `use` with the address of an entry on disk, while the directory of the entry is held open. */
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
      await this.#move(this.#staged(id, 'new'), to, isThere ? id : undefined);
      if (isThere) await this.#checkOld(id, to, true);
    } else if (!isThere && from !== undefined) await this.#move(this.#staged(id, 'old'), to);
    else if (!isThere && after.type === 'directory') {
      await this.#create(to, (place) => mkdir(place));
      this.#undo.push(() => this.#on(to, (place) => rmdir(place)));
    } else if (!isThere && after.type === 'symlink') {
      await this.#create(to, (place) => symlink(diskTarget(to, after.target ?? ''), place));
      this.#undo.push(() =>
        this.#on(to, async (place) => {
          if (markAt(place) !== this.#placed.get(to)) throw new ChangedMeanwhile(to);
          unlinkSync(place);
        }),
      );
      return;
    }
    if (after.type !== 'symlink' && (before?.mode !== after.mode || before?.mtimeMs !== after.mtimeMs))
      await this.#setAttributes(to, after.mode, after.mtimeMs);
  }

  /** Creates an entry at a path where nothing may be. Throws `ChangedMeanwhile` if there is something. */
  async #create(path: string, create: (place: string) => Promise<unknown>): Promise<void> {
    await this.#on(path, async (place) => {
      await create(place).catch((error: unknown) => {
        throw codeOf(error) === 'EEXIST' ? new ChangedMeanwhile(path) : error;
      });
      this.#placed.set(path, markAt(place));
    });
  }

  /**
   * Moves an entry, and notes how to move it back. `replaced`: the node at `to`, which must be unchanged; without it, nothing
   * may be there. Throws `ChangedMeanwhile` otherwise. What another program puts at `to` later is not moved back.
   */
  async #move(from: string, to: string, replaced?: NodeId): Promise<void> {
    await this.#on(from, (source) =>
      this.#on(to, async (target) => {
        if (replaced === undefined) moveToFree(source, target, to);
        else {
          if (!this.#isUnchanged(replaced, target)) throw new ChangedMeanwhile(to);
          // At once, so that hardly anything can come in between.
          renameSync(source, target);
        }
        this.#placed.set(to, markAt(target));
      }),
    );
    this.#undo.push(() =>
      this.#on(to, (source) =>
        this.#on(from, async (target) => {
          if (markAt(source) !== this.#placed.get(to)) throw new ChangedMeanwhile(to);
          moveToFree(source, target, from);
        }),
      ),
    );
  }

  /**
   * Throws `ChangedMeanwhile` if the entry that was put aside in the staging folder is not the node, unchanged. A directory is
   * only checked if `isGone`, and must then be empty.
   */
  async #checkOld(id: NodeId, path: string, isGone: boolean): Promise<void> {
    await this.#on(this.#staged(id, 'old'), async (place) => {
      if (this.#tree.node(id)?.type === 'directory') {
        // The entries of a directory were put aside before, unless they move with it.
        const [added] = isGone ? readdirSync(place) : [];
        if (added !== undefined) throw new ChangedMeanwhile(`${path}/${added}`);
      } else if (!this.#isUnchanged(id, place)) throw new ChangedMeanwhile(path);
    });
  }

  /** Keeps a file that is about to be replaced, so that the replacement is a single rename. */
  async #keepOld(id: NodeId, path: string): Promise<void> {
    const old = this.#staged(id, 'old');
    // Some file systems have no hard links.
    await this.#on(path, (place) => this.#on(old, (kept) => link(place, kept).catch(() => this.#copy(path, kept))));
    this.#undo.push(() =>
      this.#on(old, (kept) =>
        this.#on(path, async (place) => {
          // Either it was not replaced, or another program has done that; what is there stays.
          if (markAt(place) === undefined) moveToFree(kept, place, path);
        }),
      ),
    );
  }

  async #copy(path: string, kept: string): Promise<void> {
    await writeFile(kept, createReadStream('', { fd: openFile(this.#root, path) }), { flag: 'wx' });
  }

  async #setAttributes(path: string, mode: number, mtimeMs: number): Promise<void> {
    await this.#on(path, async (place) => {
      // Not by the path, which would follow a symlink.
      const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const placed = this.#placed.get(path);
        if (placed !== undefined && markOf(await file.stat({ bigint: true })) !== placed)
          throw new ChangedMeanwhile(path);
        await file.chmod(mode);
        await file.utimes(new Date(mtimeMs), new Date(mtimeMs));
        if (placed !== undefined) this.#placed.set(path, markOf(await file.stat({ bigint: true })));
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

/**
 * Moves an entry to a place where nothing may be. Throws `ChangedMeanwhile` if there is something. For directories, symlinks,
 * and file systems without hard links, another program may still put something there between the check and the move.
 */
function moveToFree(source: string, target: string, path: string): void {
  if (lstatSync(source).isFile() && isLinked(source, target, path)) {
    try {
      unlinkSync(source);
    } catch (error) {
      unlinkSync(target);
      throw error;
    }
    return;
  }
  if (markAt(target) !== undefined) throw new ChangedMeanwhile(path);
  renameSync(source, target);
}

/** Links a file to another place. False if that cannot be done here; throws `ChangedMeanwhile` if something is there. */
function isLinked(source: string, target: string, path: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new ChangedMeanwhile(path);
    return false;
  }
}

/** A mark that differs for other entries, and for other contents of a file; undefined if nothing is at the place. */
function markAt(place: string): string | undefined {
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return stat && markOf(stat);
}

const markOf = (stat: BigIntStats): string =>
  stat.isDirectory() ? `${stat.ino}` : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
