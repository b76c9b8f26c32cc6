import { sha256 } from '#lib/base/sha256.ts';
import { StoredCatalogues, USE_PRECISION_MS } from '#lib/threads/catalogues.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import {
  CatalogueError,
  catalogueText,
  checkTogether,
  type Fragment,
  type NamedCatalogue,
  type Project,
} from '#lib/tools/catalogue/catalogue.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { searchFragments } from '#lib/tools/tool-search/toolset.ts';

/**
 * Makes and stores the catalogue of the tools on offer now, which tells a run which tools its model has. Also finds earlier
 * catalogues in the store.
 */
export class ToolCatalogues {
  readonly #registry: ToolRegistry;
  readonly #fragments: readonly Fragment[];
  readonly #stored: StoredCatalogues;
  /** The latest catalogue, with a key for what it was made of; undefined if the tools have changed since. */
  #current: { key: string; catalogue: Promise<NamedCatalogue> } | undefined;
  /** The catalogue that was stored last, and the time of that, in milliseconds since the epoch. */
  #kept = { name: '', at: 0 };

  /** `fragments`: the sections of the system prompt about the toolsets. */
  constructor(registry: ToolRegistry, fragments: readonly Fragment[], store: ThreadStore) {
    this.#registry = registry;
    this.#fragments = fragments;
    this.#stored = new StoredCatalogues(store);
    registry.subscribe(() => {
      this.#current = undefined;
    });
  }

  /**
   * Returns the catalogue of the tools on offer now: those of this page, and `brought`, those that the workspace comes with. If
   * the studio's server would refuse them together, for instance because they are too many, it has none of `brought`.
   * `project`: what the workspace tells the model. The catalogue is stored in this browser first, so that each step that names
   * it can be understood later. A failure to store it is ignored.
   */
  async current(project?: Project, brought: readonly ToolSpec[] = []): Promise<NamedCatalogue> {
    const key = JSON.stringify([project, brought.map(({ name, metadata }) => [name, metadata?.definition])]);
    if (this.#current?.key !== key) this.#current = { key, catalogue: this.#describe(project, brought) };
    const catalogue = await this.#current.catalogue;
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

  /** Returns the text of the current catalogue, or of one that is stored in this browser, by its name; undefined for others. */
  async text(name: string): Promise<string | undefined> {
    const current = await (this.#current?.catalogue ?? this.current());
    return current.name === name ? current.text : this.#stored.text(name);
  }

  async #describe(project: Project | undefined, brought: readonly ToolSpec[]): Promise<NamedCatalogue> {
    const own = this.#registry.list();
    const tools = [...own, ...this.#fitting(own, brought)];
    const search = searchFragments(tools.map(({ toolset }) => toolset));
    const text = catalogueText(tools, [...this.#fragments, ...search], project);
    const name = await sha256(text);
    // Old ones may stay for a while; the next catalogue is another occasion.
    this.#stored.prune(name).catch(() => undefined);
    return { name, text };
  }

  /** The tools of a workspace that can be offered together with the page's; none if a server would refuse all of them. */
  #fitting(own: readonly ToolSpec[], brought: readonly ToolSpec[]): readonly ToolSpec[] {
    const named = brought.filter(({ name }) => this.#registry.get(name) === undefined);
    try {
      checkTogether([...own, ...named]);
      return named;
    } catch (error) {
      if (error instanceof CatalogueError) return [];
      throw error;
    }
  }
}
