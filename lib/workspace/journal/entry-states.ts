import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { defined } from '#lib/base/defined.ts';
import { linkAt } from '#lib/vfs/disk/entry-content.ts';
import { inDirectory } from '#lib/vfs/disk/pinned-directory.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader, FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { basename, dirname } from '#lib/vfs/paths.ts';
import { type ContentStore, hashOf } from './content-store.ts';
import type { EntryState } from './entries.ts';
import { KEPT_FILE_MAX_BYTES } from './limits.ts';
import type { Folder } from './snapshot.ts';

/**
 * The state of a path now, read through `files`; null if nothing is there, or it can only be reached through a symlink. A file
 * of more than `KEPT_FILE_MAX_BYTES` has no hash. Rejects with `FileSystemError` if the path cannot be read.
 */
export async function stateAt(
  { root, storage }: Pick<Folder, 'root' | 'storage'>,
  files: FileSystemReader,
  path: string,
): Promise<EntryState | null> {
  try {
    if (await isBelowLink(files, path)) return null;
    const { type, mode, size } = await files.lstat(path);
    if (type === 'directory') return { type, mode };
    if (type === 'symlink') return { type, mode, target: linkAt(root, path) ?? '' };
    const signature = storage.tree.signatureNow(path);
    const state = { type, mode, size, ...defined({ signature }) };
    if (size > KEPT_FILE_MAX_BYTES) return state;
    return { ...state, hash: hashOf(await files.readFile(path, { isBrief: true })) };
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Checks whether a symlink is on the way to a path, so that the path leads somewhere else. */
async function isBelowLink(files: FileSystemReader, path: string): Promise<boolean> {
  const above: string[] = [];
  for (let place = dirname(path); place !== '/'; place = dirname(place)) above.unshift(place);
  // From the top: what is below a link need not be there, and a link may lead to itself.
  for (const place of above) if ((await files.lstat(place)).type === 'symlink') return true;
  return false;
}

/** Checks whether a state of a path can be restored: it is not a file, or `contents` has the file's content. */
export const isKept = (state: EntryState | null, contents: ContentStore): boolean =>
  state?.type !== 'file' || (state.hash !== undefined && contents.has(state.hash, state.size));

/**
 * Restores these states of paths in a transaction; null removes what is at the path. A directory that is to be removed stays
 * if it has other entries. Rejects with `FileSystemError` if `contents` lacks a content or something is in the way.
 * `putLinks` must be called after the commit.
 */
export async function putStates(
  tx: FileSystemTransaction,
  states: ReadonlyMap<string, EntryState | null>,
  contents: ContentStore,
): Promise<void> {
  const paths = [...states.keys()].sort();
  for (const path of paths.toReversed()) await remove(tx, path, states.get(path) ?? null);
  for (const path of paths) {
    const state = states.get(path) ?? null;
    if (state !== null) create(tx, path, state, contents);
  }
}

/**
 * Writes the symlinks among these states to disk again, with exactly these targets: a commit makes targets that begin at the
 * root relative.
 */
export function putLinks(root: string, states: ReadonlyMap<string, EntryState | null>): void {
  for (const [path, state] of states) {
    const { type, target } = state ?? {};
    if (type !== 'symlink' || target === undefined) continue;
    inDirectory(root, dirname(path), (at) => {
      const place = at(basename(path));
      if (readlinkSync(place) === target) return;
      unlinkSync(place);
      symlinkSync(target, place);
    });
  }
}

/**
 * Removes what is at a path, unless it has the type of `state` and is no symlink. If nothing is to be there, a directory that
 * is not empty stays.
 */
async function remove(tx: FileSystemTransaction, path: string, state: EntryState | null): Promise<void> {
  const type = await tx.lstat(path).then(
    (stat) => stat.type,
    () => undefined,
  );
  if (type === undefined || (type === state?.type && type !== 'symlink')) return;
  try {
    tx.rm(path);
  } catch (error) {
    const isFull = error instanceof FileSystemError && error.code === 'ENOTEMPTY';
    if (!isFull || state !== null) throw error;
  }
}

function create(tx: FileSystemTransaction, path: string, state: EntryState, contents: ContentStore): void {
  const { type, mode, hash, target } = state;
  if (type === 'symlink') {
    tx.symlink(target ?? '', path);
    return;
  }
  if (type === 'directory') tx.mkdir(path);
  else {
    const data = hash === undefined ? undefined : contents.get(hash);
    if (data === undefined) throw new FileSystemError('EIO', path, { detail: 'its earlier content was not kept' });
    tx.writeFile(path, data);
  }
  tx.setAttributes(path, { mode });
}
