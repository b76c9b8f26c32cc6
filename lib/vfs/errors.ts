/**
 * POSIX error codes of a file system. ESTALE: a file has changed meanwhile. ECANCELED: another executor, for example in
 * another tab, has taken over the call that makes the change.
 */
export type FileSystemErrorCode =
  | 'EACCES'
  | 'ECANCELED'
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
  EACCES: 'permission denied',
  ECANCELED: 'another tab has taken over this call',
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
  ESTALE: 'has changed in the meantime',
};

interface ErrorOptions {
  detail?: string | undefined;
  cause?: unknown;
  paths?: readonly string[] | undefined;
}

/**
 * The only error with which the methods of a `FileSystem` throw or reject, except for what the callback of a transaction
 * throws. `path`: the path that the operation concerned.
 */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';
  readonly code: FileSystemErrorCode;
  readonly path: string;
  /** A more specific reason than the code's usual one; undefined if there is none. */
  readonly detail: string | undefined;

  /** All affected paths; just `path` unless there are several. */
  readonly paths: readonly string[];

  /** The message gives the code, the detail or the code's usual reason, and the path. */
  constructor(code: FileSystemErrorCode, path: string, options?: ErrorOptions) {
    super(`${code}: ${options?.detail ?? REASONS[code]}: ${path}`, { cause: options?.cause });
    this.code = code;
    this.path = path;
    this.detail = options?.detail;
    this.paths = options?.paths ?? [path];
  }
}

/**
 * Converts an error of the browser's storage to a `FileSystemError` for `path`: ENOSPC if the storage is full, otherwise EIO.
 * Returns a `FileSystemError` as it is.
 */
export function storageError(path: string, cause: unknown): FileSystemError {
  if (cause instanceof FileSystemError) return cause;
  if (cause instanceof DOMException && cause.name === 'QuotaExceededError')
    return new FileSystemError('ENOSPC', path, { cause });
  const detail = cause instanceof Error ? `storage failed (${cause.message})` : undefined;
  return new FileSystemError('EIO', path, { detail, cause });
}
