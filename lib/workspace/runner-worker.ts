import { expose, transfer, wrap } from 'comlink';
import type { ShellOutcome } from '#lib/tools/capabilities/shell.ts';
import type {
  FileMatches,
  FileQuery,
  LineCounts,
  LineQuery,
  TextMatches,
  TextQuery,
} from '#lib/tools/capabilities/workspace-search.ts';
import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import { guardOf } from '#lib/tools/permission/path-rules.ts';
import type { UnpackedZip } from '#lib/vfs/archive/foreign-zip.ts';
import type { ArchiveEntries, ArchiveLimits } from '#lib/vfs/archive/zip.ts';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { type Replacement, type ReplacementCount, replaceText } from '#lib/workspace/search/replace.ts';
import { countLines, searchFiles, searchText } from '#lib/workspace/search/search.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import type { WorkspaceHost } from './workspace-host.ts';

/**
 * Runs work that may never finish. To stop it, its worker is terminated, without affecting the worker that stores the
 * files.
 */
class Runner {
  #fileSystem: TreeFileSystem | undefined;

  /** Opens a workspace by name, as another tab would, or through a port to the page. */
  async open(workspace: string | MessagePort): Promise<void> {
    const storage =
      typeof workspace === 'string'
        ? await IndexedDbStorage.open(workspace)
        : await RemoteStorage.open(wrap<WorkspaceHost>(workspace));
    this.#fileSystem = new TreeFileSystem(storage);
  }

  async files(query: FileQuery, paths?: ProtectedPaths): Promise<FileMatches> {
    return searchFiles(await this.#current(paths), query);
  }

  async text(query: TextQuery, paths?: ProtectedPaths): Promise<TextMatches> {
    return searchText(await this.#current(paths), query);
  }

  async lines(query: LineQuery, paths?: ProtectedPaths): Promise<LineCounts> {
    return countLines(await this.#current(paths), query);
  }

  async replace(query: Replacement): Promise<ReplacementCount> {
    return replaceText(await this.#current(), query);
  }

  async zip(entries: ArchiveEntries): Promise<Uint8Array> {
    const { writeZip } = await import('#lib/vfs/archive/zip.ts');
    const data = writeZip(entries);
    return transfer(data, [data.buffer]);
  }

  async unzip(data: Uint8Array, limits: ArchiveLimits): Promise<ArchiveEntries> {
    const { readStudioZip } = await import('#lib/vfs/archive/zip.ts');
    const entries = readStudioZip(data, limits);
    return transfer(entries, [...new Set([...entries.values()].map(({ buffer }) => buffer))]);
  }

  async unpack(data: Uint8Array, limits: ArchiveLimits, languages: readonly string[]): Promise<UnpackedZip> {
    const { unpackZip } = await import('#lib/vfs/archive/foreign-zip.ts');
    const unpacked = await unpackZip(data, limits, languages);
    return transfer(unpacked, [...new Set([...unpacked.entries.values()].map(({ buffer }) => buffer))]);
  }

  async bash(command: string, options: { cwd: string; author: Author }, paths?: ProtectedPaths): Promise<ShellOutcome> {
    // Loaded on demand: it is many times larger than the rest of this worker.
    const { runBash } = await import('#lib/workspace/shell/run-bash.ts');
    return runBash(command, { ...options, fileSystem: await this.#current(paths) });
  }

  /** The workspace's files with all commits so far, by anyone, and without access to what the rules in `paths` protect. */
  async #current(paths?: ProtectedPaths): Promise<FileSystem> {
    if (this.#fileSystem === undefined) throw new Error('The workspace has not been opened.');
    await this.#fileSystem.refresh();
    return paths === undefined ? this.#fileSystem : guardedFiles(this.#fileSystem, guardOf(paths));
  }
}

export type RunnerApi = Pick<Runner, keyof Runner>;

keepFailures();
expose(new Runner());
