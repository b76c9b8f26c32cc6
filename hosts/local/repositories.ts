import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How deep repositories are found in a folder, and modules in a repository. */
const DEPTH_MAX = 3;

/** How many directories are looked into, and how many repositories, modules and working trees are found. */
const DIRECTORIES_MAX = 1_000;
const FOUND_MAX = 40;

/** What git uses in a folder. All paths are absolute. */
export interface Repositories {
  /** Folders with hooks and settings: those named `.git`, and those in them of modules and of other working trees. */
  folders: string[];
  /** Files named `.git`, which say where such a folder is. */
  files: string[];
}

/** Finds the repositories in a folder and below it, as far as they are not too deep or too many. `root`: real. */
export function findRepositories(root: string): Repositories {
  const found: Repositories = { folders: [], files: [] };
  let level = [root];
  let left = DIRECTORIES_MAX;
  for (let depth = 0; depth <= DEPTH_MAX && left > 0; depth++) {
    const next: string[] = [];
    for (const directory of level.slice(0, left))
      for (const entry of entriesOf(directory)) {
        const place = join(directory, entry.name);
        if (entry.name === '.git') {
          if (entry.isDirectory()) found.folders.push(place, ...modulesOf(place), ...worktreesOf(place));
          else if (entry.isFile()) found.files.push(place);
        } else if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
          next.push(place);
      }
    left -= level.length;
    level = next;
  }
  return { folders: found.folders.slice(0, FOUND_MAX), files: found.files.slice(0, FOUND_MAX) };
}

/** Where a repository keeps those of its submodules, whose names may have several parts. */
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
