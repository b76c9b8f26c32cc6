import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import type { NamedCatalogue } from '#lib/tools/core/catalogue.ts';
import type { ToolCatalogues } from './tool-catalogues.ts';

/** How long to wait before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

/** The tools of this page, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export class Tools {
  readonly #store: ThreadStore;
  #loading: Promise<LoadedTools & { catalogues: ToolCatalogues }> | undefined;

  constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** Never rejects: waits until the tools can be loaded. */
  load(): Promise<LoadedTools & { catalogues: ToolCatalogues }> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The tools on offer now, stored here. Never rejects, like `load`. */
  async catalogue(): Promise<NamedCatalogue> {
    return (await this.load()).catalogues.current();
  }

  /** The text of a catalogue that is or was on offer here. */
  async catalogueText(name: string): Promise<string | undefined> {
    return (await this.load()).catalogues.text(name);
  }

  async #load(): Promise<LoadedTools & { catalogues: ToolCatalogues }> {
    for (;;) {
      try {
        const [
          { toolRegistry: registry, fragments },
          { createToolExecutor },
          { ToolHost },
          { judgeCall },
          { ToolCatalogues },
        ] = await Promise.all([
          import('#lib/tools/toolsets.ts'),
          import('#lib/tools/core/executor.ts'),
          import('#lib/tools/core/host.ts'),
          import('#lib/tools/core/path-rules.ts'),
          import('./tool-catalogues.ts'),
          // Load their runtimes, too, so that an allowed call still works if the server goes down.
          import('#lib/sandbox/sandbox.ts'),
        ]);
        const catalogues = new ToolCatalogues(registry, fragments, this.#store);
        return { registry, createToolExecutor, ToolHost, judgeCall, catalogues };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
