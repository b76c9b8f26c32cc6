import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader, FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { type Contents, hashOf } from './contents.ts';
import type { EntryState } from './entries.ts';
import { KEPT_FILE_MAX_BYTES } from './limits.ts';

/** The state of a path now; null if nothing is there. Rejects with `FileSystemError` if it cannot be read. */
export async function stateAt(files: FileSystemReader, path: string): Promise<EntryState | null> {
  try {
    const { type, mode, size } = await files.lstat(path);
    if (type === 'directory') return { type, mode };
    if (type === 'symlink') return { type, mode, target: await files.readlink(path) };
    if (size > KEPT_FILE_MAX_BYTES) return { type, mode, size };
    return { type, mode, size, hash: hashOf(await files.readFile(path, { isBrief: true })) };
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Whether a state can be brought back: its content is kept, if it has one. */
export const isKept = (state: EntryState | null, contents: Contents): boolean =>
  state?.type !== 'file' || (state.hash !== undefined && contents.has(state.hash));

/**
 * Gives paths the states that they had. A directory that has entries of others stays. Throws `FileSystemError` if a
 * content is not kept or something is in the way.
 */
export async function putStates(
  tx: FileSystemTransaction,
  states: ReadonlyMap<string, EntryState | null>,
  contents: Contents,
): Promise<void> {
  const paths = [...states.keys()].sort();
  for (const path of paths.toReversed()) await remove(tx, path, states.get(path) ?? null);
  for (const path of paths) {
    const state = states.get(path) ?? null;
    if (state !== null) create(tx, path, state, contents);
  }
}

/** Removes what is at a path, unless it is of the kind that should be there. */
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

function create(tx: FileSystemTransaction, path: string, state: EntryState, contents: Contents): void {
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
