import type { FileSystemReader } from './file-system.ts';
import { joinPath } from './paths.ts';

/** The names of large folders that programs such as git and npm fill, rather than the user. Checks and syncs leave them out. */
export const GENERATED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * The files below a directory, folder by folder, with their sizes in bytes. Skips symlinks, folders with the names in
 * `leaveOut`, and entries that the user's rules protect.
 */
export async function* filesBelow(
  fileSystem: FileSystemReader,
  directory: string,
  leaveOut: ReadonlySet<string> = new Set(),
): AsyncIterable<{ path: string; size: number }> {
  for (const { name, type, size, isProtected } of await fileSystem.readdir(directory)) {
    if (isProtected) continue;
    const path = joinPath(directory, name);
    if (type === 'file') yield { path, size };
    else if (type === 'directory' && !leaveOut.has(name)) yield* filesBelow(fileSystem, path, leaveOut);
  }
}
