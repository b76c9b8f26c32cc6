import { resolvePath } from '#lib/vfs/paths.ts';

/** Whether an address leads to another server. */
export const isRemote = (address: string): boolean => /^(https?:)?\/\//i.test(address);

/** Whether an address leads nowhere outside the page: a part of it, data, a mail. */
export const isSelfContained = (address: string): boolean => address === '' || /^(#|[a-z][a-z\d+.-]*:)/i.test(address);

/**
 * The paths that an address of a file in the folder `from` can mean. As with the bundlers that people know, `@/` is the
 * source folder, and what is in `/public` is also at the root.
 */
export function pathsOf(address: string, from: string): string[] {
  const path = address.replace(/[?#].*$/, '');
  const decoded = decode(path);
  return decoded === path ? pathsOfName(path, from) : [...pathsOfName(decoded, from), ...pathsOfName(path, from)];
}

function pathsOfName(path: string, from: string): string[] {
  try {
    if (path.startsWith('@/')) return [resolvePath(`/src/${path.slice(2)}`), resolvePath(path.slice(2))];
    if (path.startsWith('/')) return [resolvePath(path), resolvePath(`/public${path}`)];
    return [resolvePath(`${from}/${path}`)];
  } catch {
    return [];
  }
}

/** As it is where it is encoded wrongly, or not at all. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
