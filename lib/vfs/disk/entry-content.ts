import { closeSync, fstatSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname } from '#lib/vfs/paths.ts';
import { diskError } from './disk-error.ts';
import { toSignature } from './disk-tree.ts';
import { inDirectory, openFile } from './pinned-directory.ts';

/** The target of the symlink at a path, as it is on disk; undefined if no symlink is there. */
export function linkAt(root: string, path: string): string | undefined {
  try {
    return inDirectory(root, dirname(path), (at) => readlinkSync(at(basename(path))));
  } catch {
    // It is gone, or something else by now.
    return undefined;
  }
}

/**
 * The content of a file if its signature is `signature`; undefined if the file has changed, or is gone. Throws
 * `FileSystemError` if the file cannot be read.
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
