/** Characters that Windows has in no name. */
const RESERVED = /[<>:"|?*\\\p{Cc}]/u;

/** Names of devices of Windows, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i;

const isPortable = (name: string): boolean => !RESERVED.test(name) && !DEVICE.test(name) && !/[. ]$/.test(name);

/**
 * The paths that can't be put on a disk of Windows as they are: with names that it doesn't allow, or with the same name as
 * another one but for the case of its letters, of which macOS takes only one as well.
 */
export function unportablePaths(paths: readonly string[]): string[] {
  const seen = new Map<string, string>();
  return paths.filter((path) => {
    const key = path.toLowerCase();
    const isTaken = seen.has(key);
    seen.set(key, path);
    return isTaken || !path.split('/').every((name) => name === '' || isPortable(name));
  });
}
