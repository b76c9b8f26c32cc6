import type { WorkspaceSearch } from '#lib/tools/capabilities/workspace-search.ts';
import { guardOf } from '#lib/tools/permission/path-rules.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';
import { countLines, searchFiles, searchText } from './search.ts';

/**
 * Creates a search that runs on the JavaScript thread it is called on, and blocks it. A pattern that never finishes cannot
 * be stopped there; use it in a separate worker if that matters.
 */
export function createLocalSearch(fileSystem: FileSystem): WorkspaceSearch {
  return {
    files: (query) => searchFiles(fileSystem, query),
    text: (query) => searchText(fileSystem, query),
    lines: (query) => countLines(fileSystem, query),
    under: (paths) => createLocalSearch(guardedFiles(fileSystem, guardOf(paths))),
  };
}
