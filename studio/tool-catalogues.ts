import { sha256 } from '#lib/base/sha256.ts';
import { StoredCatalogues, USE_PRECISION_MS } from '#lib/threads/catalogues.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { catalogueText, type Fragment, type NamedCatalogue } from '#lib/tools/core/catalogue.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';

/** The catalogues of this page's tools: the current one, and those of before. */
export class ToolCatalogues {
  readonly #registry: ToolRegistry;
  readonly #fragments: readonly Fragment[];
  readonly #stored: StoredCatalogues;
  /** Undefined since the tools changed. */
  #current: Promise<NamedCatalogue> | undefined;
  /** Which catalogue was stored last, and when, in milliseconds since the epoch. */
  #kept = { name: '', at: 0 };

  constructor(registry: ToolRegistry, fragments: readonly Fragment[], store: ThreadStore) {
    this.#registry = registry;
    this.#fragments = fragments;
    this.#stored = new StoredCatalogues(store);
    registry.subscribe(() => {
      this.#current = undefined;
    });
  }

  /**
   * The tools on offer now. They are stored here first, so that each step that names them can be understood later. If
   * storage is full, the thread's own storage fails as well, and says so.
   */
  async current(): Promise<NamedCatalogue> {
    this.#current ??= this.#describe();
    const catalogue = await this.#current;
    const now = Date.now();
    if (this.#kept.name === catalogue.name && now - this.#kept.at < USE_PRECISION_MS) return catalogue;
    await this.#stored.keep(catalogue, now).then(
      () => {
        this.#kept = { name: catalogue.name, at: now };
      },
      () => undefined,
    );
    return catalogue;
  }

  /** The text of a catalogue that is or was on offer here; undefined if it is not known. */
  async text(name: string): Promise<string | undefined> {
    const current = await this.current();
    return current.name === name ? current.text : this.#stored.text(name);
  }

  async #describe(): Promise<NamedCatalogue> {
    const text = catalogueText(this.#registry.list(), this.#fragments);
    const name = await sha256(text);
    this.#stored.prune(name).catch(() => undefined);
    return { name, text };
  }
}
