import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { DirectoryEntry, FileSystemReader } from '#lib/vfs/file-system.ts';
import { basename, dirname, isWithin, joinPath } from '#lib/vfs/paths.ts';

/** A `.gitignore` and the directory it is for. */
interface IgnoreFile {
  directory: string;
  rules: Ignore;
}

/** A file, by its absolute path, and its size in bytes; of a symlink, that of what it leads to. */
export interface WalkedFile {
  path: string;
  size: number;
}

/**
 * The files below a directory, folder by folder and some at a time, names in code-unit order, or the one file that `path`
 * is. Leaves out what `.gitignore` files say, those above `path` included, and `.git`. Symlinked directories are not
 * entered. Rejects with `FileSystemError` where `path` is not there.
 */
export async function* walkFiles(fileSystem: FileSystemReader, path: string): AsyncIterable<readonly WalkedFile[]> {
  const { type, size } = await fileSystem.stat(path);
  if (type === 'file') {
    yield [{ path, size }];
    return;
  }
  const above: IgnoreFile[] = [];
  for (const directory of ancestors(path))
    above.push(...(await ignoreFileOf(fileSystem, directory, await fileSystem.readdir(directory))));
  yield* walkDirectory(fileSystem, path, above);
}

async function* walkDirectory(
  fileSystem: FileSystemReader,
  directory: string,
  above: readonly IgnoreFile[],
): AsyncIterable<readonly WalkedFile[]> {
  const entries = await fileSystem.readdir(directory);
  const rules = [...above, ...(await ignoreFileOf(fileSystem, directory, entries))];
  let files: WalkedFile[] = [];
  for (const { name, type, size } of entries) {
    const path = joinPath(directory, name);
    if (name === '.git' || isIgnored(path, type === 'directory', rules)) continue;
    if (type === 'directory') {
      yield files;
      files = [];
      yield* walkDirectory(fileSystem, path, rules);
    } else if (type === 'file') {
      files.push({ path, size });
    } else {
      const target = await fileSystem.stat(path).catch(() => undefined);
      if (target?.type === 'file') files.push({ path, size: target.size });
    }
  }
  yield files;
}

/** The directories above a path, the root first. */
function ancestors(path: string): string[] {
  if (path === '/') return [];
  const parent = dirname(path);
  return [...ancestors(parent), parent];
}

async function ignoreFileOf(
  fileSystem: FileSystemReader,
  directory: string,
  entries: readonly DirectoryEntry[],
): Promise<IgnoreFile[]> {
  if (!entries.some(({ name }) => name === '.gitignore')) return [];
  try {
    const text = new TextDecoder().decode(await fileSystem.readFile(joinPath(directory, '.gitignore')));
    return [{ directory, rules: ignore().add(text) }];
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'EISDIR')) return [];
    throw error;
  }
}

/** The nearest `.gitignore` that says anything about a path decides, as in git. */
function isIgnored(path: string, isDirectory: boolean, files: readonly IgnoreFile[]): boolean {
  if (files.length === 0) return false;
  for (const { directory, rules } of files.toReversed()) {
    const below = path.slice(directory === '/' ? 1 : directory.length + 1);
    const { ignored, unignored } = rules.test(isDirectory ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * Whether a path fits a glob (`**`, braces, character classes). A glob without a slash is about names, one that begins
 * with a slash about whole paths, and any other about the path below `directory`.
 */
export function globMatcher(glob: string, directory: string): (path: string) => boolean {
  const matches = picomatch(glob.replace(/^\.\//, ''), { dot: true });
  if (glob.startsWith('/')) return (path) => matches(path);
  if (!glob.includes('/')) return (path) => matches(basename(path));
  const prefix = directory === '/' ? 1 : directory.length + 1;
  return (path) => isWithin(path, directory) && matches(path.slice(prefix));
}
