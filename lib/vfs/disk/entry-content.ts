import { closeSync, fstatSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname } from '#lib/vfs/paths.ts';
import { diskError } from './disk-error.ts';
import { toSignature } from './disk-tree.ts';
import { inDirectory, openFile } from './pinned-directory.ts';

/**
 * Returns the target of a symlink, exactly as it is on disk; undefined if no symlink is at the path. `path`: a workspace
 * path; `root`: the workspace's folder on disk.
 */
export function linkAt(root: string, path: string): string | undefined {
  try {
    return inDirectory(root, dirname(path), (at) => readlinkSync(at(basename(path))));
  } catch {
    // It is gone, or something else by now.
    return undefined;
  }
}

/**
 * Returns the bytes of a file if it has not changed, that is, if its signature (see `toSignature`) is still `signature`;
 * undefined if it has, or if it is gone. Throws `FileSystemError` if it cannot be read.
 */
export function readAt(root: string, path: string, signature: string | undefined): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openFile(root, path);
  } catch (error) {
    const failure = diskError(path, error);
    // Others are changes as well: the file is no longer there, or something else is.
    if (failure.code === 'EACCES' || failure.code === 'EIO') throw failure;
    return undefined;
  }
  try {
    const data = readFileSync(fd);
    // The state after reading: whoever wrote meanwhile has changed it.
    return toSignature(fstatSync(fd, { bigint: true })) === signature ? new Uint8Array(data) : undefined;
  } catch (error) {
    throw diskError(path, error);
  } finally {
    closeSync(fd);
  }
}
