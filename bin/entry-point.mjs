import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The file that names the bundle of the command line, and the sources that it was made from. */
export const BUNDLE_LIST = 'dist/command-line.json';

/**
 * Returns the size and the time of the last change of a file, as one text.
 * @param {string} path
 */
export function stateOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}

/**
 * Returns the path of the module that the command line starts with: of its bundle, or of its sources if there is no bundle or
 * if a source has changed since.
 * @param {string} root The project's folder.
 */
export function entryPoint(root) {
  return findBundle(root) ?? join(root, 'hosts/local/main.ts');
}

/**
 * Returns the path of the bundle's first module, if each source is as it was when the bundle was made.
 * @param {string} root The project's folder.
 * @returns {string | undefined}
 */
export function findBundle(root) {
  try {
    /** @type {{ entry: string, sources: Record<string, string> }} */
    const { entry, sources } = JSON.parse(readFileSync(join(root, BUNDLE_LIST), 'utf8'));
    const isCurrent = Object.entries(sources).every(([path, state]) => stateOf(join(root, path)) === state);
    const path = join(root, entry);
    return isCurrent && statSync(path).isFile() ? path : undefined;
  } catch {
    // There is no bundle, or a source of it is gone.
    return undefined;
  }
}
