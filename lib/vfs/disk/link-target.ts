import { dirname, isAbsolute, normalize, relative } from 'node:path/posix';

/** In front of a target outside of the directory. No workspace path begins like this, so whoever follows it is refused. */
const OUTSIDE = '/..';

/**
 * A symlink target as the workspace stores it: a path inside its directory becomes an absolute workspace path, and any
 * other absolute path one that leads above the workspace.
 */
export function virtualTarget(root: string, text: string): string {
  if (!isAbsolute(text) || root === '/') return text;
  if (text === root) return '/';
  const isInside = text.startsWith(`${root}/`) && normalize(text).startsWith(`${root}/`);
  return isInside ? text.slice(root.length) : `${OUTSIDE}${text}`;
}

/**
 * A symlink target for the disk: an absolute workspace path becomes a relative one that other programs can follow, too.
 */
export function diskTarget(path: string, target: string): string {
  if (!isAbsolute(target)) return target;
  if (target.startsWith(`${OUTSIDE}/`)) return target.slice(OUTSIDE.length);
  return relative(dirname(path), target) || '.';
}
