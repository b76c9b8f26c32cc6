import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The maximum depth at which repositories are found in a folder, and submodules in a repository. */
const DEPTH_MAX = 3;

/** The maximum number of directories that are searched. */
const DIRECTORIES_MAX = 1_000;

/**
 * The maximum number of modules or working trees of a repository that are listed one by one; if there are more, their
 * common folder is listed.
 */
const PARTS_MAX = 10;

/** The maximum number of `folders` in the result of `findRepositories`. Those beyond it are in `whole` instead. */
const SINGLE_MAX = 40;
/** The maximum number of paths in `whole`, `files`, and `links` together; `findRepositories` throws if there are more. */
const FOUND_MAX = 300;

/**
 * The git repositories that were found in a folder, by the paths that git uses. All paths are absolute, with symbolic links
 * resolved except for the last name of `links`.
 */
export interface Repositories {
  /** Folders with hooks and settings: those of repositories, of their submodules, and of their other working trees. */
  folders: string[];
  /**
   * Folders that are protected as a whole: those with more submodules or working trees than are listed, and all of `folders`
   * that exceed its limit.
   */
  whole: string[];
  /** Files named `.git`, each with the path of a repository's folder. */
  files: string[];
  /** Symlinks named `.git`. */
  links: string[];
}

/** Thrown for a folder with more repositories than can be protected. */
export class TooManyRepositories extends Error {
  override readonly name = 'TooManyRepositories';
}

/**
 * Finds the repositories in a folder and below it, to a depth of `DEPTH_MAX`. `root`: the real path of the folder. Throws
 * `TooManyRepositories` if there are more than can be protected.
 */
export function findRepositories(root: string): Repositories {
  const places = new Set<string>();
  const found: Repositories = { folders: [], whole: [], files: [], links: [] };
  let level = [root];
  let left = DIRECTORIES_MAX;
  for (let depth = 0; depth <= DEPTH_MAX && left > 0; depth++) {
    const next: string[] = [];
    for (const directory of level.slice(0, left)) {
      const entries = entriesOf(directory);
      if (isGitDirectory(directory)) places.add(directory);
      for (const entry of entries) {
        const place = join(directory, entry.name);
        if (entry.name !== '.git') {
          if (entry.isDirectory() && !SKIPPED.has(entry.name)) next.push(place);
          continue;
        }
        if (entry.isDirectory()) places.add(place);
        else if (entry.isFile()) found.files.push(place);
        else if (entry.isSymbolicLink()) found.links.push(place);
        for (const linked of entry.isDirectory() ? [] : linkedBy(place, entry))
          if (linked.startsWith(`${root}/`)) places.add(linked);
      }
    }
    left -= level.length;
    level = next;
  }
  for (const place of places) {
    found.folders.push(place);
    for (const [parts, all] of [
      [modulesOf(place), join(place, 'modules')],
      [worktreesOf(place), join(place, 'worktrees')],
    ] as const)
      if (parts.length > PARTS_MAX) found.whole.push(all);
      else found.folders.push(...parts);
  }
  found.whole.push(...found.folders.splice(SINGLE_MAX));
  if (found.whole.length + found.files.length + found.links.length > FOUND_MAX)
    throw new TooManyRepositories(`There are more than ${FOUND_MAX} git repositories in this folder.`);
  return found;
}

/** The names of folders that are not searched. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.roundtrip']);

/**
 * Checks whether git takes a directory itself for a repository, as it does with a `.git` folder or a bare repository. False for
 * the folder around a `.git` folder.
 */
export const isGitDirectory = (directory: string): boolean =>
  existsSync(join(directory, 'HEAD')) && existsSync(join(directory, 'objects')) && existsSync(join(directory, 'refs'));

/** The repositories that a file or a link named `.git` leads to. */
function linkedBy(place: string, entry: Dirent): string[] {
  try {
    const named = entry.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8').slice(0, 4_096))?.[1] : place;
    if (named === undefined) return [];
    const folder = realpathSync(resolve(dirname(place), named.trim()));
    const common = join(folder, 'commondir');
    if (!lstatSync(common, { throwIfNoEntry: false })?.isFile()) return [folder];
    return [folder, realpathSync(resolve(folder, readFileSync(common, 'utf8').trim()))];
  } catch {
    // It leads nowhere.
    return [];
  }
}

/**
 * Returns the folders below `modules` in which a repository keeps the repositories of its submodules. The name of a submodule
 * may have several parts.
 */
function modulesOf(repository: string): string[] {
  const found: string[] = [];
  let level = [join(repository, 'modules')];
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const places = level.flatMap(directoriesIn);
    found.push(...places.filter(isModule));
    level = places.filter((place) => !isModule(place));
  }
  return found;
}

const isModule = (place: string): boolean => existsSync(join(place, 'config'));

const worktreesOf = (repository: string): string[] => directoriesIn(join(repository, 'worktrees'));

const directoriesIn = (place: string): string[] =>
  entriesOf(place).flatMap((entry) => (entry.isDirectory() ? [join(place, entry.name)] : []));

function entriesOf(place: string): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    // It is gone, is no directory, or may not be read.
    return [];
  }
}
