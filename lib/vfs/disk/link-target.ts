import { dirname, isAbsolute, normalize, relative } from 'node:path/posix';

/** The prefix of a symlink target outside of the directory. No workspace path begins like this, so following it fails. */
const OUTSIDE = '/..';

/**
 * Converts `text`, the target of a symlink on disk, to the form that the workspace stores. An absolute path inside `root`
 * becomes an absolute workspace path; any other absolute path becomes one that leads above the workspace; relative ones
 * stay.
 */
export function virtualTarget(root: string, text: string): string {
  if (!isAbsolute(text) || root === '/') return text;
  if (text === root) return '/';
  const isInside = text.startsWith(`${root}/`) && normalize(text).startsWith(`${root}/`);
  return isInside ? text.slice(root.length) : `${OUTSIDE}${text}`;
}

/**
 * Converts the target of a symlink in the workspace to the form for the disk, which other programs can follow, too: an
 * absolute workspace path becomes one relative to the symlink at `path`. The opposite of `virtualTarget`.
 */
export function diskTarget(path: string, target: string): string {
  if (!isAbsolute(target)) return target;
  if (target.startsWith(`${OUTSIDE}/`)) return target.slice(OUTSIDE.length);
  return relative(dirname(path), target) || '.';
}
