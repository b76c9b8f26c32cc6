import { createStore, type StoreApi } from 'zustand/vanilla';
import { delay } from '#lib/base/delay.ts';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import type { NamedCatalogue, Project } from '#lib/tools/catalogue/catalogue.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolSource } from '#lib/tools/execution/host.ts';
import type { AllowedTools, ToolChange } from './sources/pins.ts';
import type { OpenSources } from './sources/source-kind.ts';
import type { Sources } from './sources/source-kinds.ts';
import type { ToolCatalogues } from './tool-catalogues.ts';
import type { AnswerImages } from './web/answer-images.ts';
import type { EgressLedger } from './web/egress-ledger.ts';

/** The page's tools, and everything that works with them. */
interface StudioTools extends LoadedTools {
  catalogues: ToolCatalogues;
  sources: Sources;
}

/** The pause before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

interface ToolsOptions {
  store: ThreadStore;
  /** Whether the store forgets everything when the page ends. */
  isVolatile: boolean;
  /** Opens the vault with the secrets of tool servers and HTTP APIs. */
  vault(): Promise<KeyVault>;
  /** Called with the toolsets of those sources of the studio's operator that are new in this browser. */
  onNewToolsets(toolsets: readonly string[]): void;
}

/** The tools of this page, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export class Tools implements AllowedTools {
  readonly #store: ThreadStore;
  readonly #isVolatile: boolean;
  readonly #vault: ToolsOptions['vault'];
  readonly #onNewToolsets: ToolsOptions['onNewToolsets'];
  #loading: Promise<StudioTools> | undefined;
  #sources: Sources | undefined;
  /** The tools in the files of workspaces that the person has allowed, by the ids of the workspaces. */
  readonly projectTools: StoreApi<ReadonlyMap<string, readonly Tool[]>> = createStore<
    ReadonlyMap<string, readonly Tool[]>
  >(() => new Map());
  /** The reasons, for the model, why other tools in the files of workspaces are not offered, by workspace and tool. */
  readonly missingTools = new Map<string, ReadonlyMap<string, string>>();
  #egress: Promise<EgressLedger> | undefined;
  #answerImages: Promise<AnswerImages> | undefined;

  constructor({ store, isVolatile, vault, onNewToolsets }: ToolsOptions) {
    this.#store = store;
    this.#isVolatile = isVolatile;
    this.#vault = vault;
    this.#onNewToolsets = onNewToolsets;
  }

  /** The tool servers and HTTP APIs; undefined before the tools are loaded. */
  get sources(): Sources | undefined {
    return this.#sources;
  }

  /** Loads the record of the requests that tools send to other hosts, once. Rejects if its code cannot be loaded. */
  egress(): Promise<EgressLedger> {
    this.#egress ??= import('./web/egress-ledger.ts').then(({ EgressLedger }) =>
      EgressLedger.open(this.#store, { isVolatile: this.#isVolatile }),
    );
    // The next use tries again.
    this.#egress.catch(() => {
      this.#egress = undefined;
    });
    return this.#egress;
  }

  /** Loads the loader of images of other sites in answers, once. Rejects if its code cannot be loaded. */
  answerImages(): Promise<AnswerImages> {
    this.#answerImages ??= Promise.all([import('./web/answer-images.ts'), this.egress()]).then(
      ([{ AnswerImages }, egress]) => new AnswerImages(egress),
    );
    // The next use tries again.
    this.#answerImages.catch(() => {
      this.#answerImages = undefined;
    });
    return this.#answerImages;
  }

  /** Ends the connections of tools, and the calls that are under way, as the end of the page does. */
  async close(): Promise<void> {
    // One that could not be opened has nothing to close.
    const egress = await this.#egress?.catch(() => undefined);
    egress?.close();
    for (const sources of this.#kinds()) sources.close();
  }

  /**
   * Checks whether the person has allowed an external tool in all threads as it is described now; undefined for other tools.
   * False if the tool has changed since, or was allowed only in single threads.
   */
  isKnown(tool: ToolSpec): boolean | undefined {
    return this.#sourcesOf(tool)?.isKnown(tool);
  }

  /**
   * Returns an external tool as the person allowed it before, and as it is now; undefined if that is the same, and for other
   * tools.
   */
  changeOf(tool: ToolSpec): ToolChange | undefined {
    return this.#sourcesOf(tool)?.changeOf(tool);
  }

  /** Stores that the person has allowed an external tool as it is (see `AllowedTools`). */
  async remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void> {
    await this.#sourcesOf(tool)?.remember(tool, scope);
  }

  /** Finds the sources of the kind that a tool comes from. Undefined for other tools. */
  #sourcesOf(tool: ToolSpec): AllowedTools | undefined {
    return this.#kinds().find(({ pins }) => pins.isKnown(tool) !== undefined)?.pins;
  }

  /** Returns the sources of each kind; none before the tools are loaded. */
  #kinds(): OpenSources[] {
    return Object.values(this.#sources ?? {});
  }

  /** Loads the tools, once. Never rejects: tries again until they can be loaded. */
  load(): Promise<StudioTools> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /**
   * Returns the catalogue of the tools on offer in a workspace now, which tells a run what its model has, and connects to tool
   * servers that are not connected. `project`: what the workspace tells the model. The catalogue is stored in this browser.
   * Never rejects, like `load`.
   */
  async catalogue(workspaceId?: string, project?: Project): Promise<NamedCatalogue> {
    const { catalogues } = await this.load();
    for (const sources of this.#kinds()) sources.connectAll();
    return catalogues.current(project, this.projectToolsOf(workspaceId).list());
  }

  /** Returns the tools that a workspace comes with, as a set that always has the present ones. */
  projectToolsOf(workspaceId = ''): ToolSource {
    const list = () => this.projectTools.getState().get(workspaceId) ?? [];
    return {
      get: (name) => list().find((tool) => tool.name === name),
      list,
      whyMissing: (name) => this.missingTools.get(workspaceId)?.get(name),
    };
  }

  /** The text of a catalogue that is or was on offer here; undefined if it is not known. */
  async catalogueText(name: string): Promise<string | undefined> {
    return (await this.load()).catalogues.text(name);
  }

  async #load(): Promise<StudioTools> {
    for (;;) {
      try {
        const [
          { toolRegistry: registry, fragments },
          { createToolExecutor },
          { ToolHost },
          { judgeCall },
          { ToolCatalogues },
          { offerToolSearch },
          { openSources },
          { pageCapabilities },
          egress,
        ] = await Promise.all([
          import('#lib/tools/toolsets.ts'),
          import('#lib/tools/execution/executor.ts'),
          import('#lib/tools/execution/host.ts'),
          import('#lib/tools/permission/path-rules.ts'),
          import('./tool-catalogues.ts'),
          import('#lib/tools/tool-search/offer-search.ts'),
          import('./sources/source-kinds.ts'),
          import('./page-capabilities.ts'),
          this.egress(),
          // Load their runtimes, too, so that an allowed call still works if the server goes down.
          import('#lib/sandbox/sandbox.ts'),
        ]);
        const catalogues = new ToolCatalogues(registry, fragments, this.#store);
        offerToolSearch(registry, {
          isEmpty: () => [...this.projectTools.getState().values()].every((tools) => tools.length === 0),
          subscribe: (onChange) => this.projectTools.subscribe(onChange),
        });
        const sources = await openSources({
          store: this.#store,
          registry,
          vault: this.#vault,
          onRequest: (...request) => egress.sent(...request),
          onNewToolsets: this.#onNewToolsets,
        });
        this.#sources = sources;
        const egressOf = (threadId: string) => egress.of(threadId);
        return {
          registry,
          createToolExecutor,
          ToolHost,
          judgeCall,
          catalogues,
          sources,
          ...pageCapabilities(egress),
          egressOf,
        };
      } catch {
        // The server, or the storage, may answer again soon.
        await delay(RETRY_MS);
      }
    }
  }
}
