import { FileSystemError, type FileSystemErrorCode } from '#lib/vfs/errors.ts';

const CODES: Readonly<Record<string, FileSystemErrorCode>> = {
  ENOENT: 'ENOENT',
  ENOTDIR: 'ENOTDIR',
  ENAMETOOLONG: 'ENAMETOOLONG',
  ENOSPC: 'ENOSPC',
  EDQUOT: 'ENOSPC',
};

/** Converts a Node error to a `FileSystemError`. */
export function diskError(path: string, cause: unknown): FileSystemError {
  if (cause instanceof FileSystemError) return cause;
  const code = cause instanceof Error && 'code' in cause ? CODES[String(cause.code)] : undefined;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new FileSystemError(code ?? 'EIO', path, { detail, cause });
}
