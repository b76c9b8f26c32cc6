import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import type { NamedCatalogue, Project } from '#lib/tools/core/catalogue.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { ForeignTools, ToolChange } from './foreign/pins.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import type { RestApis } from './rest/rest-apis.ts';
import type { ToolCatalogues } from './tool-catalogues.ts';

/** All that has to do with the page's tools. */
interface StudioTools extends LoadedTools {
  catalogues: ToolCatalogues;
  servers: McpServers;
  apis: RestApis;
}

/** How long to wait before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

/** The tools of this page, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export class Tools implements ForeignTools {
  readonly #store: ThreadStore;
  readonly #vault: () => Promise<KeyVault>;
  #loading: Promise<StudioTools> | undefined;
  #servers: McpServers | undefined;
  #apis: RestApis | undefined;

  /** `vault`: keeps the secrets of tool servers and HTTP APIs. */
  constructor(store: ThreadStore, vault: () => Promise<KeyVault>) {
    this.#store = store;
    this.#vault = vault;
  }

  /** The person's tool servers; undefined before the tools are loaded. */
  get servers(): McpServers | undefined {
    return this.#servers;
  }

  /** The person's HTTP APIs; undefined before the tools are loaded. */
  get apis(): RestApis | undefined {
    return this.#apis;
  }

  isKnown(tool: ToolSpec): boolean | undefined {
    return this.#sourceOf(tool)?.isKnown(tool);
  }

  changeOf(tool: ToolSpec): ToolChange | undefined {
    return this.#sourceOf(tool)?.changeOf(tool);
  }

  async remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void> {
    await this.#sourceOf(tool)?.remember(tool, scope);
  }

  /** Where a tool comes from; undefined for the studio's own. */
  #sourceOf(tool: ToolSpec): ForeignTools | undefined {
    return [this.#servers, this.#apis].find((source) => source?.isKnown(tool) !== undefined);
  }

  /** Never rejects: waits until the tools can be loaded. */
  load(): Promise<StudioTools> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The tools on offer now, and what a workspace tells the model, stored here. Never rejects, like `load`. */
  async catalogue(project?: Project): Promise<NamedCatalogue> {
    const { catalogues, servers } = await this.load();
    servers.connectAll();
    return catalogues.current(project);
  }

  /** The text of a catalogue that is or was on offer here. */
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
          { McpServers },
          { McpClient, startMcpWorker },
          { RestApis },
          { RestClient, startRestWorker },
        ] = await Promise.all([
          import('#lib/tools/toolsets.ts'),
          import('#lib/tools/core/executor.ts'),
          import('#lib/tools/core/host.ts'),
          import('#lib/tools/core/path-rules.ts'),
          import('./tool-catalogues.ts'),
          import('#lib/tools/tool-search/offer-search.ts'),
          import('./mcp/mcp-servers.ts'),
          import('#lib/mcp/mcp-client.ts'),
          import('./rest/rest-apis.ts'),
          import('#lib/rest/rest-client.ts'),
          // Load their runtimes, too, so that an allowed call still works if the server goes down.
          import('#lib/sandbox/sandbox.ts'),
        ]);
        const catalogues = new ToolCatalogues(registry, fragments, this.#store);
        offerToolSearch(registry);
        const kept = { store: this.#store, registry, vault: this.#vault };
        const servers = await McpServers.open({ ...kept, createClient: () => new McpClient(startMcpWorker) });
        this.#servers = servers;
        const apis = await RestApis.open({ ...kept, createClient: () => new RestClient(startRestWorker) });
        this.#apis = apis;
        return { registry, createToolExecutor, ToolHost, judgeCall, catalogues, servers, apis };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
