/** POSIX error codes a file system may reject with, plus ESTALE for a version that is no longer current. */
export type FileSystemErrorCode =
  | 'EEXIST'
  | 'EFBIG'
  | 'EINVAL'
  | 'EIO'
  | 'EISDIR'
  | 'ELOOP'
  | 'ENAMETOOLONG'
  | 'ENOENT'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'ESTALE';

const REASONS: Record<FileSystemErrorCode, string> = {
  EEXIST: 'already exists',
  EFBIG: 'file too large',
  EINVAL: 'invalid path or operation',
  EIO: 'storage failed',
  EISDIR: 'is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'name is longer than 255 bytes',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left in this browser’s storage',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory is not empty',
  ESTALE: 'was changed in the meantime',
};

/** The only error a `FileSystem` rejects with. `path` is the absolute path the operation was about. */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';
  readonly code: FileSystemErrorCode;
  readonly path: string;

  constructor(code: FileSystemErrorCode, path: string, options?: { detail?: string; cause?: unknown }) {
    super(`${code}: ${options?.detail ?? REASONS[code]}: ${path}`, { cause: options?.cause });
    this.code = code;
    this.path = path;
  }
}
