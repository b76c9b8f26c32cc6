import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { joinPath } from '#lib/vfs/paths.ts';

/** The contents of a directory, recursively. Symlinks are left out. */
export interface FilesBelow {
  /** Bytes by absolute path. */
  files: Map<string, Uint8Array>;
  /** Absolute paths of the empty folders. */
  emptyFolders: string[];
}

/** Reads all files below a directory, and finds its empty folders. */
export async function readFiles(fileSystem: FileSystemReader, directory: string): Promise<FilesBelow> {
  const files = new Map<string, Uint8Array>();
  const emptyFolders: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const children = await fileSystem.readdir(folder);
    if (children.length === 0 && folder !== directory) emptyFolders.push(folder);
    for (const { name, type } of children) {
      const path = joinPath(folder, name);
      if (type === 'directory') await visit(path);
      else if (type === 'file') files.set(path, await fileSystem.readFile(path));
    }
  };
  await visit(directory);
  return { files, emptyFolders };
}
