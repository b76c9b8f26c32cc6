import { messageOf } from '#lib/base/message-of.ts';
import { FileSystemError, type FileSystemErrorCode } from '#lib/vfs/errors.ts';

const CODES: ReadonlyMap<unknown, FileSystemErrorCode> = new Map([
  ['EACCES', 'EACCES'],
  ['EPERM', 'EACCES'],
  ['EROFS', 'EACCES'],
  ['ELOOP', 'ELOOP'],
  ['ENOENT', 'ENOENT'],
  ['ENOTDIR', 'ENOTDIR'],
  ['ENAMETOOLONG', 'ENAMETOOLONG'],
  ['ENOSPC', 'ENOSPC'],
  ['EDQUOT', 'ENOSPC'],
]);

/**
 * Converts an error of Node's file system to a `FileSystemError` for a workspace path: EIO if its code has no counterpart.
 * The message has no path of the machine. Returns a `FileSystemError` as it is.
 */
export function diskError(path: string, cause: unknown): FileSystemError {
  if (cause instanceof FileSystemError) return cause;
  const code = CODES.get(codeOf(cause));
  const detail = code === 'ENOSPC' ? 'the disk is full; free some space, then try again' : reasonOf(cause);
  return new FileSystemError(code ?? 'EIO', path, { detail, cause });
}

/** The reason in a message such as “EACCES: permission denied, open '/home/me/file'”. */
function reasonOf(cause: unknown): string {
  const message = messageOf(cause);
  return /^[A-Z0-9]+: ([^,]+), /.exec(message)?.[1] ?? message.replaceAll(/'[^']*'/g, '…');
}

/** Returns the code of an error of Node, such as `ENOENT`; undefined for anything else. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
