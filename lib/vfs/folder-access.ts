import { basename, dirname } from './paths.ts';

/**
 * Access of tools to a path of a folder on disk. `hidden`: it does not exist for them. `read-only`: it stays as it is.
 * `unlisted`: the same, and it is only found by who knows its name.
 */
export type PathAccess = 'open' | 'read-only' | 'unlisted' | 'hidden';

/** The folder, within one that is worked on, for what belongs to the program. */
export const OWN_FOLDER = '.roundtrip';

/** Its folders that tools can change: texts that the person sends, and tools, about whose content the person is asked. */
const OPEN: ReadonlySet<string> = new Set(['tools', 'prompts']);

/** Its folder that they can read, if they know the name: long messages that summaries name. */
const MESSAGES = 'messages';

/** Characters that some disks leave out of names. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Ends of names that Windows leaves out: what follows a colon, and dots and spaces before it. */
const IGNORED_END = /[. ]*(:.*)?$/;

/** Short names that Windows gives to these folders. */
const SHORT_NAMES: readonly [pattern: RegExp, name: string][] = [
  [/^git~\d$/, '.git'],
  [/^roundt~\d$/, OWN_FOLDER],
];

/** The name as a disk sees it that knows the fewest differences. */
function plainName(name: string): string {
  const plain = name.replace(IGNORED_CHARACTERS, '').replace(IGNORED_END, '').toLowerCase();
  return SHORT_NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? plain;
}

/**
 * Returns what tools may do with a path, whichever program they run in. Git runs programs that files in a folder named `.git`
 * name, and with a file named HEAD and two folders beside it, it takes any folder for such a one. What belongs to this
 * program has other conversations in it, and permissions. All of this holds at any depth, because any folder can be the
 * one that is worked on.
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

/** Checks by the names in a directory whether git may take it for a repository, with what tools could add to it. */
export function looksLikeRepository(names: Iterable<string>): boolean {
  const plain = new Set(Array.from(names, plainName));
  return plain.has('head') && (plain.has('objects') || plain.has('refs'));
}

/** Tells whether a path is in a repository that is not named `.git`, by all paths that there are. */
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
