/** Characters that Windows allows in no name. */
const RESERVED = /[<>:"|?*\\\p{Cc}]/u;

/** Names of devices of Windows, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i;

const isPortable = (name: string): boolean => !RESERVED.test(name) && !DEVICE.test(name) && !/[. ]$/.test(name);

/**
 * Returns the paths that cannot be stored on Windows as they are: those with names that Windows does not allow, and those
 * that differ from an earlier path only in case, which macOS cannot store either.
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
