import { dirname, isAbsolute, relative } from 'node:path/posix';

/** A symlink's text as the workspace has it: one into the workspace's directory begins at its root. */
export function virtualTarget(root: string, text: string): string {
  if (!isAbsolute(text)) return text;
  if (text === root) return '/';
  return text.startsWith(`${root}/`) ? text.slice(root.length) : text;
}

/** The text as it goes to the disk: what begins at the workspace's root leads there for other programs, too. */
export function diskTarget(path: string, target: string): string {
  return isAbsolute(target) ? relative(dirname(path), target) || '.' : target;
}
