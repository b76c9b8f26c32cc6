import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { walkFiles } from '#lib/workspace/search/walk.ts';
import { CHECKED_FILE_MAX_BYTES, MAX_CHECKED_FILES } from './limits.ts';

/** The files that a check covers. */
interface CheckedFiles {
  paths: readonly string[];
  /** Whether there are more than `MAX_CHECKED_FILES`. */
  hasMore: boolean;
}

/**
 * Finds the files below a directory that `isHandled` accepts, or `path` itself if it is such a file; at most
 * `MAX_CHECKED_FILES`, with `hasMore` if there are more. Leaves out ignored files, installed packages, and large files. Rejects
 * with `FileSystemError` for a path that does not exist, and with the reason of an aborted signal.
 */
export async function filesToCheck(
  files: FileSystemReader,
  path: string,
  isHandled: (path: string) => boolean,
  signal: AbortSignal,
): Promise<CheckedFiles> {
  const paths: string[] = [];
  for await (const batch of walkFiles(files, path)) {
    signal.throwIfAborted();
    for (const { path: found, size } of batch) {
      const isOfPackage = found.slice(path.length).includes('node_modules/');
      if (isOfPackage || size > CHECKED_FILE_MAX_BYTES || !isHandled(found)) continue;
      if (paths.length === MAX_CHECKED_FILES) return { paths, hasMore: true };
      paths.push(found);
    }
  }
  return { paths, hasMore: false };
}
