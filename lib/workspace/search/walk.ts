import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { DirectoryEntry, FileSystemReader } from '#lib/vfs/file-system.ts';
import { basename, dirname, isWithin, joinPath } from '#lib/vfs/paths.ts';

/** A `.gitignore` file and its directory. */
export interface IgnoreFile {
  directory: string;
  /** The rules for paths that are `depth` levels below the directory, without those that would take too long to match there. */
  rulesFor(depth: number): Ignore;
}

/**
 * The most ways in which the `**` of one rule may stand for folders of one path. A rule that exceeds it for a path does not
 * apply to that path, because matching would take seconds.
 */
const GLOBSTAR_WAYS_MAX = 5_000;

/** The most `**` in one rule. A rule with more of them applies to no path. */
const GLOBSTARS_MAX = 40;

/** A file's absolute path and its size in bytes; for a symlink, the size of its target. */
export interface WalkedFile {
  path: string;
  size: number;
  /** Set if rules of the user do not let its content be read. */
  isProtected?: true;
}

/**
 * The files below a directory, folder by folder and in batches, names in code-unit order, or `path` itself if it is a
 * file. Skips `.git` and files ignored by `.gitignore` files, including those above `path`. Does not enter symlinked
 * directories. Rejects with `FileSystemError` if `path` does not exist. `onProtected` is called with each folder that is
 * left out because it may not be read.
 */
export async function* walkFiles(
  fileSystem: FileSystemReader,
  path: string,
  onProtected: (path: string) => void = () => undefined,
): AsyncIterable<readonly WalkedFile[]> {
  const { type, size } = await fileSystem.stat(path);
  if (type === 'file') {
    yield [{ path, size }];
    return;
  }
  const above: IgnoreFile[] = [];
  for (const directory of ancestors(path))
    above.push(...(await ignoreFileOf(fileSystem, directory, await fileSystem.readdir(directory))));
  yield* walkDirectory(fileSystem, path, above, onProtected);
}

async function* walkDirectory(
  fileSystem: FileSystemReader,
  directory: string,
  above: readonly IgnoreFile[],
  onProtected: (path: string) => void,
): AsyncIterable<readonly WalkedFile[]> {
  const entries = await fileSystem.readdir(directory);
  const rules = [...above, ...(await ignoreFileOf(fileSystem, directory, entries))];
  let files: WalkedFile[] = [];
  for (const { name, type, size, isProtected } of entries) {
    const path = joinPath(directory, name);
    const mark = isProtected && { isProtected };
    if (name === '.git' || isIgnored(path, type === 'directory', rules)) continue;
    if (type === 'directory' && isProtected) {
      onProtected(path);
    } else if (type === 'directory') {
      yield files;
      files = [];
      yield* walkDirectory(fileSystem, path, rules, onProtected);
    } else if (type === 'file') {
      files.push({ path, size, ...mark });
    } else {
      // A symlink that leads nowhere has nothing to search.
      const target = await fileSystem.stat(path).catch(() => undefined);
      if (target?.type === 'file') files.push({ path, size: target.size, ...mark });
    }
  }
  yield files;
}

/** The directories above a path, starting at the root. */
function ancestors(path: string): string[] {
  if (path === '/') return [];
  const parent = dirname(path);
  return [...ancestors(parent), parent];
}

/** Error codes after which a `.gitignore` file excludes nothing: it has gone, is a directory, or may not be read. */
const NO_RULES: readonly string[] = ['ENOENT', 'EISDIR', 'EACCES'];

/**
 * Reads the `.gitignore` file of a directory, and returns it in a list, which is empty if there is none, it may not be read,
 * or it is a directory. `entries`: those of the directory.
 */
export async function ignoreFileOf(
  fileSystem: Pick<FileSystemReader, 'readFile'>,
  directory: string,
  entries: readonly Pick<DirectoryEntry, 'name'>[],
): Promise<IgnoreFile[]> {
  if (!entries.some(({ name }) => name === '.gitignore')) return [];
  try {
    const text = new TextDecoder().decode(await fileSystem.readFile(joinPath(directory, '.gitignore')));
    return [{ directory, rulesFor: rulesOf(text) }];
  } catch (error) {
    if (error instanceof FileSystemError && NO_RULES.includes(error.code)) return [];
    throw error;
  }
}

function rulesOf(text: string): IgnoreFile['rulesFor'] {
  const lines = text.split(/\r?\n/);
  const globstars = lines.map((line) => line.split('**/').length - 1);
  const most = Math.min(
    globstars.reduce((one, other) => Math.max(one, other), 0),
    GLOBSTARS_MAX,
  );
  const byMost = new Map<number, Ignore>();
  const byDepth = new Map<number, Ignore>();
  const rulesWith = (allowed: number): Ignore => {
    const rules = byMost.get(allowed) ?? ignore().add(lines.filter((_, index) => (globstars[index] ?? 0) <= allowed));
    byMost.set(allowed, rules);
    return rules;
  };
  return (depth) => {
    const known = byDepth.get(depth);
    if (known !== undefined) return known;
    let allowed = most;
    while (waysOf(allowed, depth) > GLOBSTAR_WAYS_MAX) allowed -= 1;
    const rules = rulesWith(allowed);
    byDepth.set(depth, rules);
    return rules;
  };
}

/**
 * The number of ways in which the `**` of a rule, `globstars` in number, can share the `depth` names of a path. One at the
 * beginning of the rule is not counted.
 */
function waysOf(globstars: number, depth: number): number {
  let ways = 1;
  for (let index = 1; index < globstars; index += 1) ways *= (depth + index - 1) / index;
  return ways;
}

/**
 * Checks whether `.gitignore` files exclude a path. As in git, the nearest one with a rule for the path decides; in `files`,
 * the nearest is last.
 */
export function isIgnored(path: string, isDirectory: boolean, files: readonly IgnoreFile[]): boolean {
  if (files.length === 0) return false;
  for (const { directory, rulesFor } of files.toReversed()) {
    const below = path.slice(directory === '/' ? 1 : directory.length + 1);
    const { ignored, unignored } = rulesFor(below.split('/').length).test(isDirectory ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * Makes a function that checks whether an absolute path matches a glob (`**`, braces, character classes). A glob without a slash
 * is matched against the name, one that begins with a slash against the absolute path, and any other against the path
 * below `directory`. Wildcards also match names that begin with a dot. An empty glob matches everything.
 */
export function globMatcher(glob: string, directory: string): (path: string) => boolean {
  if (glob === '' || glob === './') return () => true;
  const matches = picomatch(glob.replace(/^\.\//, ''), { dot: true });
  if (glob.startsWith('/')) return (path) => matches(path);
  if (!glob.includes('/')) return (path) => matches(basename(path));
  const prefix = directory === '/' ? 1 : directory.length + 1;
  return (path) => isWithin(path, directory) && matches(path.slice(prefix));
}
