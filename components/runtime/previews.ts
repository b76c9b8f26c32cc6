import type { Preview } from '#lib/preview/preview.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { PagePreview } from '#lib/tools/preview.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';

export type { Preview, PreviewState } from '#lib/preview/preview.ts';

/** Previews that are kept at once; the one unused for longest is ended for another. */
const PREVIEWS_MAX = 3;

/** How long a model's call waits for the pane that is to show its page. */
const PANE_TIMEOUT_MS = 1_500;

export interface PreviewsOptions {
  loadSandbox(): Promise<Sandbox>;
  fileSystemOf(workspaceId: string): Promise<FileSystem>;
}

/** The workspaces of this page as pages that run, each begun when it is first wanted. */
export class Previews {
  readonly #options: PreviewsOptions;
  /** The longest unused first. */
  readonly #opened = new Map<string, Promise<Preview>>();
  /** Shows the pane of a workspace's preview, where there is one; says whether there is. */
  #reveal: (workspaceId: string) => boolean = () => false;

  constructor(options: PreviewsOptions) {
    this.#options = options;
  }

  /** Names what shows the pane. Returns what takes that back. */
  onReveal(reveal: (workspaceId: string) => boolean): () => void {
    this.#reveal = reveal;
    return () => {
      this.#reveal = () => false;
    };
  }

  /** Rejects where its code cannot be had, or its workspace. */
  open(workspaceId: string): Promise<Preview> {
    const known = this.#opened.get(workspaceId);
    this.#opened.delete(workspaceId);
    const opening = known ?? this.#open(workspaceId);
    this.#opened.set(workspaceId, opening);
    if (known === undefined) {
      opening.catch(() => this.#opened.delete(workspaceId));
      for (const other of this.#opened.keys()) {
        if (this.#opened.size <= PREVIEWS_MAX) break;
        void this.close(other);
      }
    }
    return opening;
  }

  /** Ends a workspace's preview, if it has one. */
  async close(workspaceId: string): Promise<void> {
    const opened = this.#opened.get(workspaceId);
    this.#opened.delete(workspaceId);
    (await opened?.catch(() => undefined))?.close();
  }

  /** For the model's calls. */
  capabilityOf(workspaceId: string): PagePreview {
    return {
      open: async (entry, options) => {
        const isShown = this.#reveal(workspaceId);
        const preview = await this.open(workspaceId);
        // A page that was loaded out of sight would have to be loaded again.
        if (isShown) await preview.attached(PANE_TIMEOUT_MS);
        return preview.open(entry, options);
      },
      outline: async (selector, options) => (await this.open(workspaceId)).outline(selector, options),
      console: async (since) => (await this.open(workspaceId)).console(since),
    };
  }

  async #open(workspaceId: string): Promise<Preview> {
    const [fileSystem, sandbox, { Preview }] = await Promise.all([
      this.#options.fileSystemOf(workspaceId),
      this.#options.loadSandbox(),
      import('#lib/preview/preview.ts'),
    ]);
    return new Preview({ fileSystem, sandbox });
  }
}
