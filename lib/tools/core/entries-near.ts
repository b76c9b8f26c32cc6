import { distance } from 'fastest-levenshtein';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { dirname, joinPath } from '#lib/vfs/paths.ts';

/** How many names are given. */
const NAMED = 10;

/** The share of its characters in which a similar name may differ, extensions aside. */
const DIFFERENCE = 0.4;

/**
 * A sentence about what is there in place of a missing path: entries with similar names or, if there are none, what its
 * directory contains. Rejects with `FileSystemError`.
 */
export async function entriesNear(files: FileSystemReader, path: string): Promise<string> {
  const directory = await existingAbove(files, path);
  const missing = path.slice(directory === '/' ? 1 : directory.length + 1).split('/')[0] ?? '';
  const entries = await files.readdir(directory);
  if (entries.length === 0) return `${directory} is empty.`;
  const shown = (names: readonly string[]) => names.map((name) => joinPath(directory, name)).join(', ');
  const names = entries.map(({ name }) => name);
  const similar = names
    .map((name) => ({ name, difference: differenceOf(name, missing) }))
    .filter(({ difference }) => difference <= DIFFERENCE)
    .sort((one, other) => one.difference - other.difference)
    .slice(0, NAMED);
  if (similar.length > 0) return `Did you mean ${shown(similar.map(({ name }) => name))}?`;
  const more = names.length - NAMED;
  return `${directory} contains ${shown(names.slice(0, NAMED))}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** The nearest directory above a path that exists. */
async function existingAbove(files: FileSystemReader, path: string): Promise<string> {
  for (let directory = dirname(path); directory !== '/'; directory = dirname(directory))
    if (
      await files.stat(directory).then(
        ({ type }) => type === 'directory',
        () => false,
      )
    )
      return directory;
  return '/';
}

/** From 0 for the same name to 1 for one that has nothing in common. */
function differenceOf(name: string, other: string): number {
  const [one, two] = [stemOf(name), stemOf(other)];
  return distance(one, two) / Math.max(one.length, two.length, 1);
}

const stemOf = (name: string): string => name.toLowerCase().replace(/(?<=.)\.[^.]*$/, '');
