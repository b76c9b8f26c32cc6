import type { AllMessages } from '#components/i18n/catalog.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';

/**
 * The new path of a file or folder for a typed name, without white space around it, which nobody sees. Throws `Error` for an
 * invalid name, and `FileSystemError` (`EEXIST`) for a name that another entry has.
 */
export function renamedPath(path: string, typed: string, isTaken: (path: string) => boolean, t: AllMessages): string {
  if (typed === basename(path)) return path;
  const name = typed.trim();
  if (['', '.', '..'].includes(name) || name.includes('/')) throw new Error(t.files.noName);
  const target = joinPath(dirname(path), name);
  if (target !== path && isTaken(target)) throw new FileSystemError('EEXIST', target);
  return target;
}
