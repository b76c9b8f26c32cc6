// Runs what may never finish, such as a search for a bad pattern, on a thread that can be ended at any time.
import { parentPort, workerData } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import type { FileQuery, LineQuery, TextQuery } from '#lib/tools/capabilities/workspace-search.ts';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import { accessOf } from '#lib/vfs/folder-access.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { keepFailures } from '#lib/workspace/rpc.ts';
import { countLines, searchFiles, searchText } from '#lib/workspace/search/search.ts';
import { OwnFiles } from './own-files.ts';

const own = new OwnFiles(String(workerData));
const opened = DiskStorage.open(own.root, {
  accessOf,
  protectionNow: () => own.gitCheck(),
  staging: own.staging,
}).then((storage) => new TreeFileSystem(storage));

const api = {
  files: async (query: FileQuery) => searchFiles(await opened, query),
  text: async (query: TextQuery) => searchText(await opened, query),
  lines: async (query: LineQuery) => countLines(await opened, query),
  async bash(command: string, options: { cwd: string; author: Author }): Promise<ShellOutcome> {
    const { runBash } = await import('#lib/workspace/shell/run-bash.ts');
    return runBash(command, { ...options, fileSystem: await opened });
  },
};

/** The functions that the worker thread of `FolderRunner` offers: searches in the folder, and commands in a small shell. */
export type FolderWorkerApi = typeof api;

keepFailures();
if (parentPort !== null) expose(api, nodeEndpoint(parentPort));
