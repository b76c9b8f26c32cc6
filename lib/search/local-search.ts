import type { WorkspaceSearch } from '#lib/tools/workspace-search.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { countLines, searchFiles, searchText } from './search.ts';

/** Searches where it is called. Nothing ends a pattern without end here: where that matters, it has a worker of its own. */
export function createLocalSearch(fileSystem: FileSystemReader): WorkspaceSearch {
  return {
    files: (query) => searchFiles(fileSystem, query),
    text: (query) => searchText(fileSystem, query),
    lines: (query) => countLines(fileSystem, query),
  };
}
