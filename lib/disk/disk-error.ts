import { FileSystemError, type FileSystemErrorCode } from '#lib/vfs/errors.ts';

const CODES: Readonly<Record<string, FileSystemErrorCode>> = {
  ENOENT: 'ENOENT',
  ENOTDIR: 'ENOTDIR',
  ENAMETOOLONG: 'ENAMETOOLONG',
  ENOSPC: 'ENOSPC',
  EDQUOT: 'ENOSPC',
};

/** Converts an error of Node's file system to a `FileSystemError` for a workspace path: EIO if it has no other code. */
export function diskError(path: string, cause: unknown): FileSystemError {
  if (cause instanceof FileSystemError) return cause;
  const code = cause instanceof Error && 'code' in cause ? CODES[String(cause.code)] : undefined;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new FileSystemError(code ?? 'EIO', path, { detail, cause });
}
