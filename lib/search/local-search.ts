import type { WorkspaceSearch } from '#lib/tools/capabilities/workspace-search.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { countLines, searchFiles, searchText } from './search.ts';

/**
 * Searches on the calling thread. A runaway pattern cannot be terminated here; use it in a separate worker if that
 * matters.
 */
export function createLocalSearch(fileSystem: FileSystemReader): WorkspaceSearch {
  return {
    files: (query) => searchFiles(fileSystem, query),
    text: (query) => searchText(fileSystem, query),
    lines: (query) => countLines(fileSystem, query),
  };
}
