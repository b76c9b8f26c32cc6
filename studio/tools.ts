import type { StoredCatalogues } from '#lib/threads/catalogues.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import type { NamedCatalogue } from '#lib/tools/core/catalogue.ts';

/** How long to wait before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

/** The tools of this page, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export class Tools {
  readonly #stored: StoredCatalogues;
  #loading: Promise<LoadedTools> | undefined;
  /** The catalogue of the tools on offer; undefined since they changed. */
  #catalogue: Promise<NamedCatalogue> | undefined;

  constructor(stored: StoredCatalogues) {
    this.#stored = stored;
  }

  /** Never rejects: waits until the tools can be loaded. */
  load(): Promise<LoadedTools> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The tools on offer now. They are stored here first, so that each step that names them can be understood later. */
  async catalogue(): Promise<NamedCatalogue> {
    this.#catalogue ??= this.#describe();
    const catalogue = await this.#catalogue;
    // If storage is full, the thread's own storage fails as well, and says so.
    await this.#stored.keep(catalogue).catch(() => undefined);
    return catalogue;
  }

  /** The text of a catalogue that is or was on offer here. */
  async catalogueText(name: string): Promise<string | undefined> {
    const current = await this.catalogue();
    return current.name === name ? current.text : this.#stored.text(name);
  }

  async #describe(): Promise<NamedCatalogue> {
    const [{ registry }, { catalogueText }, { fragments }, { sha256 }] = await Promise.all([
      this.load(),
      import('#lib/tools/core/catalogue.ts'),
      import('#lib/tools/toolsets.ts'),
      import('#lib/base/sha256.ts'),
    ]);
    const text = catalogueText(registry.list(), fragments);
    const name = await sha256(text);
    this.#stored.prune(name).catch(() => undefined);
    return { name, text };
  }

  async #load(): Promise<LoadedTools> {
    for (;;) {
      try {
        const [{ toolRegistry: registry }, { createToolExecutor }, { ToolHost }] = await Promise.all([
          import('#lib/tools/toolsets.ts'),
          import('#lib/tools/core/executor.ts'),
          import('#lib/tools/core/host.ts'),
          // Load their runtimes, too, so that an allowed call still works if the server goes down.
          import('#lib/sandbox/sandbox.ts'),
        ]);
        registry.subscribe(() => {
          this.#catalogue = undefined;
        });
        return { registry, createToolExecutor, ToolHost };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
