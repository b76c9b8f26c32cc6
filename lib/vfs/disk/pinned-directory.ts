import { closeSync, constants, existsSync, openSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { codeOf } from './disk-error.ts';

/** The folder in which Linux shows a process its open files. */
const OPEN_FILES = '/proc/self/fd';
/** Whether this system has that folder. */
const HAS_OPEN_FILES = existsSync(OPEN_FILES);

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a directory of the workspace and calls `use` while it is open, so that nothing that another program puts in its
 * place in the meantime is used instead. `root`: the workspace's folder on disk; `path`: the workspace path of the directory.
 * `at(name)` gives the address on disk of an entry, `at()` that of the directory itself. Returns what `use` returns. Throws
 * Node's error if the directory cannot be opened, and `FileSystemError` EACCES if it is not where its path says: then a
 * symlink is on the way.
 *
 * On systems without `/proc`, the path is only checked right before it is used, so another program may still come in
 * between.
 */
export function inDirectory<T>(root: string, path: string, use: (at: (name?: string) => string) => T): T {
  const place = placeOf(root, path);
  const fd = openSync(place, DIRECTORY);
  try {
    checkPlace(fd, place, path);
    const address = HAS_OPEN_FILES ? `${OPEN_FILES}/${fd}` : place;
    return use((name) => (name === undefined ? address : `${address}/${name}`));
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a directory of the workspace and keeps it open until the promise that `use` returns settles, so that nothing that
 * another program puts in its place is used instead. Rejects with what `use` rejects with, and with what `inDirectory`, its
 * synchronous form, throws.
 */
export async function whileInDirectory<T>(
  root: string,
  path: string,
  use: (at: (name?: string) => string) => Promise<T>,
): Promise<T> {
  const place = placeOf(root, path);
  const fd = openSync(place, DIRECTORY);
  try {
    checkPlace(fd, place, path);
    const address = HAS_OPEN_FILES ? `${OPEN_FILES}/${fd}` : place;
    return await use((name) => (name === undefined ? address : `${address}/${name}`));
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a file of the workspace for reading, and returns its descriptor, which the caller closes. Throws Node's error if it
 * cannot be opened (ELOOP if it is a symlink), and `FileSystemError` EACCES if a symlink is on the way.
 */
export function openFile(root: string, path: string): number {
  const place = placeOf(root, path);
  // A pipe without a writer would block forever.
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    checkPlace(fd, place, path);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Removes the entry `name` of a directory of the workspace, with everything below it, if it is there. Keeps each directory
 * open meanwhile, so that nothing is removed in a directory that another program puts in its place. Rejects with what
 * `inDirectory` throws.
 */
export async function removeEntry(root: string, directory: string, name: string): Promise<void> {
  await whileInDirectory(root, directory, (at) => removeAt(at(name)));
}

async function removeAt(place: string): Promise<void> {
  try {
    await unlink(place);
    return;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return;
    // The errors of `unlink` for directories on Linux and elsewhere.
    if (code !== 'EISDIR' && code !== 'EPERM') throw error;
  }
  const fd = openSync(place, DIRECTORY);
  try {
    const address = HAS_OPEN_FILES ? `${OPEN_FILES}/${fd}` : place;
    for (const name of readdirSync(address)) await removeAt(`${address}/${name}`);
  } finally {
    closeSync(fd);
  }
  await rmdir(place);
}

function checkPlace(fd: number, place: string, path: string): void {
  const real = HAS_OPEN_FILES ? readlinkSync(`${OPEN_FILES}/${fd}`) : realpathSync(place);
  if (real === place) return;
  throw new FileSystemError('EACCES', path, { detail: 'leads out of the folder, or was moved while it was used' });
}

const placeOf = (root: string, path: string): string => (path === '/' || path === '' ? root : join(root, path));
