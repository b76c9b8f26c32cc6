import { dirname, isAbsolute, relative } from 'node:path/posix';

/** A symlink target as the workspace stores it: a path inside its directory becomes an absolute workspace path. */
export function virtualTarget(root: string, text: string): string {
  if (!isAbsolute(text)) return text;
  if (text === root) return '/';
  return text.startsWith(`${root}/`) ? text.slice(root.length) : text;
}

/**
 * A symlink target for the disk: an absolute workspace path becomes a relative one that other programs can follow, too.
 */
export function diskTarget(path: string, target: string): string {
  return isAbsolute(target) ? relative(dirname(path), target) || '.' : target;
}
