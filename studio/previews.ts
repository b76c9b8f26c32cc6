import { createStore } from 'zustand/vanilla';
import type { Preview } from '#lib/sandbox/preview/preview.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { PagePreview } from '#lib/tools/capabilities/preview.ts';
import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { CodePreview } from './code-preview.ts';

export type { Preview, PreviewState } from '#lib/sandbox/preview/preview.ts';

/** Maximum number of previews kept open; the least recently used one is closed to make room. */
const PREVIEWS_MAX = 3;

/** The time that a model's call waits for the pane that will show its page, in milliseconds. */
const PANE_TIMEOUT_MS = 1_500;

interface PreviewsOptions {
  loadSandbox(): Promise<Sandbox>;
  fileSystemOf(workspaceId: string): Promise<FileSystem>;
}

/** The previews of this page's workspaces, which run them as pages. Each is started on first use. */
export class Previews {
  readonly #options: PreviewsOptions;
  /** The open previews by workspace, least recently used first. */
  readonly #opened = new Map<string, Promise<Preview>>();
  /** Shows the pane of a workspace's preview, if the page has one for it; returns whether it has. */
  #reveal: (workspaceId: string) => boolean = () => false;

  /** The code of an answer that is shown in place of the workspace's page; undefined if none is. */
  readonly code = createStore<{ shown: CodePreview | undefined }>(() => ({ shown: undefined }));

  /** The number of times that code was to be shown. */
  #codes = 0;

  constructor(options: PreviewsOptions) {
    this.#options = options;
  }

  /**
   * Registers the function that shows the pane with a workspace's preview. It is called when the model opens a page, and
   * returns whether the page is shown. Returns a function that unregisters it.
   */
  onReveal(reveal: (workspaceId: string) => boolean): () => void {
    this.#reveal = reveal;
    return () => {
      this.#reveal = () => false;
    };
  }

  /** Opens a workspace's preview, or returns the one that is open. Rejects if its code or its workspace cannot be loaded. */
  open(workspaceId: string): Promise<Preview> {
    const known = this.#opened.get(workspaceId);
    this.#opened.delete(workspaceId);
    const opening = known ?? this.#open(workspaceId);
    this.#opened.set(workspaceId, opening);
    if (known === undefined) {
      // The caller gets the error; the next call opens it again.
      opening.catch(() => this.#opened.delete(workspaceId));
      for (const other of this.#opened.keys()) {
        if (this.#opened.size <= PREVIEWS_MAX) break;
        void this.close(other);
      }
    }
    return opening;
  }

  /** Closes a workspace's preview, if it has one. */
  async close(workspaceId: string): Promise<void> {
    const opened = this.#opened.get(workspaceId);
    this.#opened.delete(workspaceId);
    // One that could not be opened has nothing to close.
    (await opened?.catch(() => undefined))?.close();
  }

  /** Shows code of an answer in the pane of a workspace. Rejects if what runs it cannot be loaded. */
  async showCode(workspaceId: string, code: string, language: string): Promise<void> {
    const number = ++this.#codes;
    const [sandbox, { openCodePreview }] = await Promise.all([
      this.#options.loadSandbox(),
      import('./code-preview.ts'),
    ]);
    const shown = await openCodePreview(sandbox, workspaceId, code, language);
    if (number === this.#codes) {
      this.closeCode();
      this.code.setState({ shown });
    } else {
      // Other code was shown meanwhile.
      shown.preview.close();
    }
  }

  /** Shows the workspace's page again. */
  closeCode(): void {
    this.code.getState().shown?.preview.close();
    this.code.setState({ shown: undefined });
  }

  /**
   * Returns the preview of a workspace as a capability for the model's calls. `paths`: the paths that the user's rules protect.
   */
  capabilityOf(workspaceId: string, paths?: ProtectedPaths): PagePreview {
    const pageOf = (preview: Preview): PagePreview => (paths === undefined ? preview : preview.under(paths));
    return {
      open: async (entry, options) => {
        if (this.code.getState().shown?.workspaceId === workspaceId) this.closeCode();
        const isShown = this.#reveal(workspaceId);
        const preview = await this.open(workspaceId);
        // A page loaded while hidden would have to be loaded again.
        if (isShown) await preview.attached(PANE_TIMEOUT_MS);
        return pageOf(preview).open(entry, options);
      },
      outline: async (selector, options) => pageOf(await this.open(workspaceId)).outline(selector, options),
      console: async (since) => pageOf(await this.open(workspaceId)).console(since),
      under: (others) => this.capabilityOf(workspaceId, others),
    };
  }

  async #open(workspaceId: string): Promise<Preview> {
    const [fileSystem, sandbox, { Preview }] = await Promise.all([
      this.#options.fileSystemOf(workspaceId),
      this.#options.loadSandbox(),
      import('#lib/sandbox/preview/preview.ts'),
    ]);
    return new Preview({ fileSystem, sandbox });
  }
}
