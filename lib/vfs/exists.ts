import { FileSystemError } from './errors.ts';
import type { FileSystemReader } from './file-system.ts';

/** Checks whether anything exists at a path, including a dangling symlink. Rejects with any error but ENOENT. */
export async function exists(fileSystem: FileSystemReader, path: string): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'ENOENT') return false;
    throw error;
  }
}
