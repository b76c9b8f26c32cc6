import { randomUUID } from 'node:crypto';
import {
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { Paths } from '#lib/vfs/file-changes.ts';
import { type BlobId, NO_BLOB, type NodeId, type NodeState, type NodeTree, TreeOverlay } from '#lib/vfs/node-tree.ts';
import type { Commit } from '#lib/vfs/workspace-storage.ts';
import { diskError } from './disk-error.ts';
import { diskTarget } from './link-target.ts';

/** Prefix of the staging folder, which is next to the files, so that moving files into place is a rename. */
const STAGING = '.roundtrip-staging-';

/** Whether a name is that of a staging folder, in use or left over from a process that ended. */
export const isStaging = (name: string): boolean => name.startsWith(STAGING);

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
export async function applyCommit(root: string, tree: NodeTree, commit: Commit): Promise<void> {
  const work = new DiskCommit(root, tree, commit);
  try {
    await work.run();
  } catch (error) {
    // The staging folder has the only copy of what could not be restored, so it is kept for the user to find.
    if (await work.takeBack()) await work.clean();
    throw diskError('/', error);
  }
  await work.clean();
}

class DiskCommit {
  readonly #root: string;
  readonly #staging: string;
  readonly #tree: NodeTree;
  readonly #blobs: ReadonlyMap<BlobId, Uint8Array>;
  readonly #touched: Touched[];
  /** Undo operations, in the order of the changes. */
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** Parent directories that were verified to be inside the workspace. */
  readonly #inside = new Set<string>();

  constructor(root: string, tree: NodeTree, { changes, blobs }: Commit) {
    this.#root = root;
    this.#staging = join(root, STAGING + randomUUID());
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
    await mkdir(this.#staging);
    const written = this.#touched.filter(({ before, after }) => after?.type === 'file' && hasNewContent(before, after));
    for (const { id, after } of written) await this.#stage(id, after as NodeState);
    // Deepest first: entries are moved out of a directory before the directory itself is moved.
    const leaving = this.#touched.filter(({ from, to }) => from !== undefined && from !== to);
    for (const { id, from } of byDepth(leaving, 'from').reverse())
      await this.#move(this.#at(from), this.#staged(id, 'old'));
    for (const touched of byDepth(this.#touched, 'to')) await this.#place(touched);
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
    await rm(this.#staging, { recursive: true, force: true });
  }

  #at = (path: string | undefined): string => join(this.#root, path ?? '');
  #staged = (id: NodeId, kind: 'new' | 'old'): string => join(this.#staging, `${kind}-${id}`);

  /** Writes a file's content to the staging folder. */
  async #stage(id: NodeId, { blob, mode, mtimeMs }: NodeState): Promise<void> {
    const place = this.#staged(id, 'new');
    const data = blob === NO_BLOB ? new Uint8Array() : this.#blobs.get(blob);
    if (data !== undefined) await writeFile(place, data);
    else await copyFile(this.#at(this.#pathOf(blob)), place, constants.COPYFILE_FICLONE);
    await setAttributes(place, mode, mtimeMs);
  }

  #pathOf(blob: BlobId): string {
    const paths = new Paths(this.#tree);
    for (const [id, state] of this.#tree.nodes()) if (state.blob === blob) return paths.of(id) ?? '/';
    throw new FileSystemError('EIO', '/');
  }

  async #place({ id, before, from, after, to }: Touched): Promise<void> {
    if (after === undefined || to === undefined) return;
    const place = this.#at(to);
    await this.#checkInside(dirname(place));
    const isThere = from === to;
    if (after.type === 'file' && hasNewContent(before, after)) {
      if (isThere) await this.#keepOld(id, place);
      await this.#move(this.#staged(id, 'new'), place);
    } else if (!isThere && from !== undefined) await this.#move(this.#staged(id, 'old'), place);
    else if (!isThere && after.type === 'directory') {
      await mkdir(place);
      this.#undo.push(() => rmdir(place));
    } else if (!isThere && after.type === 'symlink') {
      await symlink(diskTarget(to, after.target ?? ''), place);
      this.#undo.push(() => unlink(place));
      return;
    }
    if (after.type !== 'symlink' && (before?.mode !== after.mode || before?.mtimeMs !== after.mtimeMs))
      await setAttributes(place, after.mode, after.mtimeMs);
  }

  async #move(from: string, to: string): Promise<void> {
    await rename(from, to);
    this.#undo.push(() => rename(to, from));
  }

  /** Keeps a file that is about to be replaced, so that the replacement is a single rename. */
  async #keepOld(id: NodeId, place: string): Promise<void> {
    const old = this.#staged(id, 'old');
    await link(place, old).catch(() => copyFile(place, old));
    this.#undo.push(() => rename(old, place));
  }

  /** Another program may have put a symlink where a directory was. */
  async #checkInside(parent: string): Promise<void> {
    if (this.#inside.has(parent)) return;
    const real = await realpath(parent);
    if (real !== this.#root && !real.startsWith(`${this.#root}/`))
      throw new FileSystemError('EINVAL', '/', { detail: `${parent} leads out of the workspace` });
    this.#inside.add(parent);
  }
}

const hasNewContent = (before: NodeState | undefined, after: NodeState): boolean =>
  before === undefined || before.type !== 'file' || before.blob !== after.blob;

const byDepth = (touched: readonly Touched[], side: 'from' | 'to'): Touched[] =>
  touched.filter((one) => one[side] !== undefined).sort((one, other) => depth(one[side]) - depth(other[side]));

const depth = (path = ''): number => (path === '/' ? 0 : path.split('/').length);

async function setAttributes(place: string, mode: number, mtimeMs: number): Promise<void> {
  await chmod(place, mode);
  await utimes(place, new Date(mtimeMs), new Date(mtimeMs));
}
