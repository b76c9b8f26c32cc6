import { basename, dirname } from './paths.ts';

/**
 * Access of tools to a path in a folder on disk. `open`: they can read and change it. `read-only`: they can only read it.
 * `unlisted`: they can only read it, and listings leave it out. `hidden`: for them, it does not exist.
 */
export type PathAccess = 'open' | 'read-only' | 'unlisted' | 'hidden';

/**
 * The name of the folder in which the studio keeps its own files, such as conversations, inside of each folder on disk that
 * it works on.
 */
export const OWN_FOLDER = '.roundtrip';

/** Folders in `OWN_FOLDER` that tools can change: prompts, which a person sends, and tools, which a person must allow first. */
const OPEN: ReadonlySet<string> = new Set(['tools', 'prompts']);

/** The folder in `OWN_FOLDER` that tools can read but not list, with long messages whose paths are named in summaries. */
const MESSAGES = 'messages';

/** Characters that some disks ignore in names. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The ends of names that Windows ignores: dots and spaces, and a colon with what follows it. */
const IGNORED_END = /[. ]*(:.*)?$/;

/** The short names that Windows gives to `.git` and `OWN_FOLDER`. */
const SHORT_NAMES: readonly [pattern: RegExp, name: string][] = [
  [/^git~\d$/, '.git'],
  [/^roundt~\d$/, OWN_FOLDER],
];

/** Returns the form of a name that is the same for all names that some disk takes for the same one. */
function plainName(name: string): string {
  const plain = name.replace(IGNORED_CHARACTERS, '').replace(IGNORED_END, '').toLowerCase();
  return SHORT_NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? plain;
}

/**
 * Returns how tools may access a path. `.git` and entries named HEAD are read-only, because git runs programs that files in
 * `.git` name, and takes any folder for a `.git` if it has a file HEAD and the folders `objects` and `refs`. Of
 * `OWN_FOLDER`, most is hidden: it has other conversations in it, and permissions. All of this holds at any depth, because
 * any folder can be the one that is worked on.
 */
export function accessOf(path: string): PathAccess {
  const names = path.split('/').map(plainName);
  if (names.includes('.git') || names.at(-1) === 'head') return 'read-only';
  const at = names.indexOf(OWN_FOLDER);
  if (at === -1) return 'open';
  const below = names[at + 1];
  if (below === undefined || below === MESSAGES) return 'unlisted';
  return OPEN.has(below) ? 'open' : 'hidden';
}

/**
 * Checks by the names in a directory whether git takes it for a repository, or could after tools have added to it: it has
 * HEAD, and `objects` or `refs`.
 */
export function looksLikeRepository(names: Iterable<string>): boolean {
  const plain = new Set(Array.from(names, plainName));
  return plain.has('head') && (plain.has('objects') || plain.has('refs'));
}

/**
 * Returns a function that checks whether a path is in a folder that git may take for a repository, whatever its name (see
 * `looksLikeRepository`). `paths`: all paths of the workspace.
 */
export function repositoryCheck(paths: Iterable<string>): (path: string) => boolean {
  const parts = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const path of paths)
    for (let place = path; place !== '/' && !seen.has(place); place = dirname(place)) {
      seen.add(place);
      const name = plainName(basename(place));
      if (name === 'head' || name === 'objects' || name === 'refs') {
        const names = parts.get(dirname(place));
        if (names === undefined) parts.set(dirname(place), [name]);
        else names.push(name);
      }
    }
  const repositories = new Set(
    [...parts].flatMap(([directory, names]) => (looksLikeRepository(names) ? directory : [])),
  );
  const isIn = (directory: string): boolean =>
    repositories.has(directory) || (directory !== '/' && isIn(dirname(directory)));
  return (path) => repositories.size > 0 && isIn(dirname(path));
}
