import { distance } from 'fastest-levenshtein';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import type { WorkspaceSearch } from '../capabilities/workspace-search.ts';

/** The most names that a hint lists. */
const NAMED = 10;

/** The most files whose names are compared. */
const COMPARED = 10_000;

/** The share of its characters in which a similar name may differ, extensions aside. */
const DIFFERENCE = 0.4;

/** A name with at least this many characters counts as similar to any name that contains it. */
const PART = 4;

/**
 * Returns a sentence for the model about what there is near a missing path: a symlink that leads nowhere, entries with
 * similar names or, if there are none, the contents of the nearest directory that exists. Rejects with `FileSystemError` if
 * that directory cannot be read.
 */
export async function entriesNear(files: FileSystemReader, path: string): Promise<string> {
  const directory = await existingAbove(files, path);
  const missing = path.slice(directory === '/' ? 1 : directory.length + 1).split('/')[0] ?? '';
  const entries = await files.readdir(directory);
  if (entries.length === 0) return `${directory} is empty.`;
  if (entries.some(({ name, type }) => name === missing && type === 'symlink')) {
    const link = joinPath(directory, missing);
    return `${link} is a symlink to ${await files.readlink(link)}, which is not there.`;
  }
  const shown = (names: readonly string[]) => names.map((name) => joinPath(directory, name)).join(', ');
  const names = entries.map(({ name }) => name);
  const similar = mostSimilar(names, missing);
  if (similar.length > 0) return `Did you mean ${shown(similar)}?`;
  const more = names.length - NAMED;
  return `${directory} contains ${shown(names.slice(0, NAMED))}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** The `paths` whose last segment is similar to `name`, the most similar first; at most ten. */
const mostSimilar = (paths: readonly string[], name: string): string[] =>
  paths
    .map((path) => ({ path, difference: differenceOf(basename(path), name) }))
    .filter(({ difference }) => difference <= DIFFERENCE)
    .sort((one, other) => one.difference - other.difference)
    .slice(0, NAMED)
    .map(({ path }) => path);

/**
 * Returns the paths of the files below the directory `path` whose names are similar to the last segment of `name`, the most
 * similar first; at most ten.
 */
export async function filesNamedLike(
  name: string,
  path: string,
  { search, abortSignal }: { search: WorkspaceSearch; abortSignal: AbortSignal },
): Promise<string[]> {
  const { paths } = await search.files({ path, glob: '**', limit: COMPARED }, { abortSignal });
  return mostSimilar(paths, basename(name));
}

/**
 * Makes a handler for `catch` that returns an empty text in place of a hint that could not be made, so that the call itself
 * succeeds. It throws the signal's reason if the call was stopped.
 */
export const noHint = (abortSignal: AbortSignal) => (): string => {
  abortSignal.throwIfAborted();
  return '';
};

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

/** The difference of two names, from 0 (the same) to 1 (nothing in common). Case and extensions do not count. */
function differenceOf(name: string, other: string): number {
  const [one, two] = [stemOf(name), stemOf(other)];
  const [short, long] = one.length < two.length ? [one, two] : [two, one];
  if (short.length >= PART && long.includes(short)) return Math.min(DIFFERENCE, 1 - short.length / long.length);
  return distance(one, two) / Math.max(one.length, two.length, 1);
}

const stemOf = (name: string): string => name.toLowerCase().replace(/(?<=.)\.[^.]*$/, '');
