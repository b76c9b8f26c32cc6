import type { FileSystemReader } from './file-system.ts';
import { joinPath } from './paths.ts';

/** Folders that tools make, large and nobody's own writing. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The files below a directory, folder by folder, but those in folders of some names. Symlinks are left out. */
export async function* filesBelow(
  fileSystem: FileSystemReader,
  directory: string,
  leaveOut: ReadonlySet<string> = new Set(),
): AsyncIterable<{ path: string; size: number }> {
  for (const { name, type, size } of await fileSystem.readdir(directory)) {
    const path = joinPath(directory, name);
    if (type === 'file') yield { path, size };
    else if (type === 'directory' && !leaveOut.has(name)) yield* filesBelow(fileSystem, path, leaveOut);
  }
}
