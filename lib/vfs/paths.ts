import { FileSystemError } from './errors.ts';

/** The longest file name in UTF-8 bytes, as on common disk file systems. */
export const MAX_NAME_BYTES = 255;

const encoder = new TextEncoder();

/**
 * Resolves a path written by a user or a model to an absolute, normalized one: relative paths start at the
 * workspace root, `.` and empty segments are dropped, `..` goes up.
 * Throws `FileSystemError` EINVAL for NUL, a lone surrogate, or a `..` above the root, ENAMETOOLONG for a segment over 255
 * bytes.
 */
export function resolvePath(path: string): string {
  return `/${segmentsOf(path).join('/')}`;
}

/**
 * Resolves a path like `resolvePath`, and returns its names in a list: `['a', 'b']` for `/a/b`, an empty list for the root.
 * Throws what `resolvePath` throws.
 */
export function segmentsOf(path: string): string[] {
  if (path.includes('\0')) throw new FileSystemError('EINVAL', path, { detail: 'path contains a NUL character' });
  // In UTF-8, all of them would be the same name.
  if (/\p{Surrogate}/u.test(path))
    throw new FileSystemError('EINVAL', path, { detail: 'path contains half of a character (a lone surrogate)' });
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) {
        throw new FileSystemError('EINVAL', path, { detail: 'path leads above the workspace root "/"' });
      }
      continue;
    }
    if (isTooLong(segment)) throw new FileSystemError('ENAMETOOLONG', path);
    segments.push(segment);
  }
  return segments;
}

/**
 * Checks whether a name exceeds `MAX_NAME_BYTES`. Most names need not be encoded for that: no UTF-16 code unit takes more than
 * three bytes.
 */
const isTooLong = (name: string): boolean =>
  name.length * 3 > MAX_NAME_BYTES && encoder.encode(name).byteLength > MAX_NAME_BYTES;

/** The parent directory of an absolute path; the root is its own parent. */
export function dirname(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** The last segment of an absolute path; empty for the root. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins a directory path and an entry name. */
export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** Checks whether `path` is `ancestor` itself or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === '/' || path === ancestor || path.startsWith(`${ancestor}/`);
}
