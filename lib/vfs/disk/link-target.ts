import { dirname, isAbsolute, normalize, relative } from 'node:path/posix';

/** The prefix of a symlink target outside of the directory. No workspace path begins like this, so following it fails. */
const OUTSIDE = '/..';

/**
 * A symlink target on disk as the workspace stores it. An absolute path inside `root` becomes an absolute workspace path; any
 * other absolute path becomes one that leads above the workspace; relative ones stay.
 */
export function virtualTarget(root: string, text: string): string {
  if (!isAbsolute(text) || root === '/') return text;
  if (text === root) return '/';
  const isInside = text.startsWith(`${root}/`) && normalize(text).startsWith(`${root}/`);
  return isInside ? text.slice(root.length) : `${OUTSIDE}${text}`;
}

/**
 * A symlink target of the workspace for the disk: an absolute workspace path becomes one relative to the symlink at `path`,
 * which other programs can follow, too.
 */
export function diskTarget(path: string, target: string): string {
  if (!isAbsolute(target)) return target;
  if (target.startsWith(`${OUTSIDE}/`)) return target.slice(OUTSIDE.length);
  return relative(dirname(path), target) || '.';
}
