import { resolvePath } from '#lib/vfs/paths.ts';

/** Checks whether an address leads to a web server: whether it begins with `http://`, `https://`, or `//`. */
export const isWebAddress = (address: string): boolean => /^(https?:)?\/\//i.test(address);

/**
 * Checks whether an address is empty, a fragment, or has a scheme, such as `data:`, `mailto:` or `https:`. All others refer
 * to another file or, with `//`, to another server.
 */
export const needsNoFile = (address: string): boolean => address === '' || /^(#|[a-z][a-z\d+.-]*:)/i.test(address);

/**
 * Returns the paths that an address in a file in the folder `from` can refer to, in the order in which to try them; empty if it
 * leads out of the workspace. Query and fragment are ignored, and percent codes are decoded. As with common bundlers, `@/`
 * stands for `/src/` or the root, and an address that begins with `/` is also tried in `/public`.
 */
export function pathsOf(address: string, from: string): string[] {
  const path = address.replace(/[?#].*$/, '');
  const decoded = decode(path);
  return decoded === path ? pathsOfName(path, from) : [...pathsOfName(decoded, from), ...pathsOfName(path, from)];
}

/**
 * Returns the message that there is no file for an address. `paths`: the result of `pathsOf` for it. `more`: the other
 * places that were searched, as the end of a sentence.
 */
export const noFileFor = (address: string, paths: readonly string[], more = ''): string =>
  paths.length === 0
    ? `There is no file for "${address}": it is outside the workspace.`
    : `There is no file for "${address}". Looked for ${paths.join(' and ')}${more}.`;

function pathsOfName(path: string, from: string): string[] {
  try {
    if (path.startsWith('@/')) return [resolvePath(`/src/${path.slice(2)}`), resolvePath(path.slice(2))];
    if (path.startsWith('/')) return [resolvePath(path), resolvePath(`/public${path}`)];
    return [resolvePath(`${from}/${path}`)];
  } catch {
    // It leads out of the workspace, as `noFileFor` then says.
    return [];
  }
}

/** Decodes a path; returns it unchanged if its encoding is invalid. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
