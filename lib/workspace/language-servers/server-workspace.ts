import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { type DiskState, diskChanges } from './disk-state.ts';
import type { LanguageServerConfig } from './language-server-config.ts';
import { type OpenDocument, OpenDocuments } from './open-documents.ts';
import { FILE_CHANGE_TYPES, type ServerCapabilities, savesOf } from './protocol.ts';
import type { ServerSession } from './server-session.ts';
import type { WorkspacePaths } from './workspace-paths.ts';

/** The objects that are needed to tell a server about a workspace. */
interface ServerWorkspaceOptions {
  session: ServerSession;
  config: LanguageServerConfig;
  paths: WorkspacePaths;
  files: FileSystemReader;
  /** The disk as it was before the server started. */
  disk: DiskState;
}

/** A workspace as a running language server knows it. Tells the server which files are open and what has changed on disk. */
export class ServerWorkspace {
  readonly #options: ServerWorkspaceOptions;
  readonly #documents: OpenDocuments;
  #disk: DiskState;
  #capabilities: ServerCapabilities | undefined;

  constructor(options: ServerWorkspaceOptions) {
    const { files, config, disk } = options;
    this.#options = options;
    this.#disk = disk;
    this.#documents = new OpenDocuments(files, config.languageIds, {
      opened: (path, document) => this.#opened(path, document),
      changed: (path, document) => this.#changed(path, document),
      closed: (path) => this.#closed(path),
    });
  }

  /**
   * Checks whether packages were installed, updated or removed since the server started. Only a new server notices that
   * reliably.
   */
  hasOtherPackages(disk: DiskState): boolean {
    return disk.packages !== this.#disk.packages;
  }

  /**
   * Tells the server about all changes since the last call, and opens `paths`. `disk`: the disk as it is now. Returns those of
   * `paths` that are open now: the rest have been deleted, are too large, or are not text. Rejects with the reason of an
   * aborted signal.
   */
  async synchronize(
    paths: readonly string[],
    { disk, capabilities, signal }: { disk: DiskState; capabilities: ServerCapabilities; signal: AbortSignal },
  ): Promise<string[]> {
    this.#capabilities = capabilities;
    const { open, news } = await this.#documents.synchronize(paths, signal);
    const changes = diskChanges(this.#disk, disk);
    this.#disk = disk;
    if (changes.length > 0) {
      this.#options.session.notify('workspace/didChangeWatchedFiles', {
        changes: changes.map(({ path, type }) => ({
          uri: this.#options.paths.uri(path),
          type: FILE_CHANGE_TYPES[type],
        })),
      });
    }
    // A server that publishes by itself may do so only for the file that has changed, and not for those that import it.
    const isPulled = capabilities.diagnosticProvider != null;
    if (!isPulled && changes.length + news.size > 0)
      for (const path of open) if (!news.has(path)) this.#documents.touch(path);
    return open;
  }

  #opened(path: string, { languageId, version, text }: OpenDocument): void {
    const { session, paths } = this.#options;
    session.published.expect(path, version);
    session.notify('textDocument/didOpen', { textDocument: { uri: paths.uri(path), languageId, version, text } });
  }

  #changed(path: string, { version, text }: OpenDocument): void {
    const { session, paths } = this.#options;
    const uri = paths.uri(path);
    session.published.expect(path, version);
    session.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
    // Some servers check only what has been saved.
    const saves = this.#capabilities === undefined ? undefined : savesOf(this.#capabilities);
    if (saves !== undefined)
      session.notify('textDocument/didSave', { textDocument: { uri }, ...(saves.includeText ? { text } : {}) });
  }

  #closed(path: string): void {
    const { session, paths } = this.#options;
    session.published.forget(path);
    session.notify('textDocument/didClose', { textDocument: { uri: paths.uri(path) } });
  }
}
