import { FileSystemError } from '#lib/vfs/errors.ts';
import type { DirectoryEntry, FileSystemReader } from '#lib/vfs/file-system.ts';
import { joinPath, segmentsOf } from '#lib/vfs/paths.ts';
import { type IgnoreFile, ignoreFileOf, isIgnored } from '#lib/workspace/search/walk.ts';

/**
 * Returns the entries of a directory, without `.git` and what `.gitignore` files exclude. If the directory itself is
 * excluded, it was asked for by name, so all of its entries are returned. Rejects like `readdir`.
 */
export async function listedEntries(files: FileSystemReader, path: string): Promise<readonly DirectoryEntry[]> {
  const entries = await files.readdir(path);
  const rules: IgnoreFile[] = [];
  let directory = '/';
  for (const name of [...segmentsOf(path), undefined]) {
    const siblings = name === undefined ? entries : await namesIn(files, directory);
    rules.push(...(await ignoreFileOf(files, directory, siblings)));
    if (name === undefined) break;
    directory = joinPath(directory, name);
    if (name === '.git' || isIgnored(directory, true, rules)) return entries;
  }
  return entries.filter(
    ({ name, type }) => name !== '.git' && !isIgnored(joinPath(path, name), type === 'directory', rules),
  );
}

/** Returns the `.gitignore` file of a directory in the form of a listing; empty if there is none. */
async function namesIn(files: FileSystemReader, directory: string): Promise<readonly { name: string }[]> {
  try {
    await files.stat(joinPath(directory, '.gitignore'));
    return [{ name: '.gitignore' }];
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}
