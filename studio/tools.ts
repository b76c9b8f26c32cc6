import { createStore, type StoreApi } from 'zustand/vanilla';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import type { NamedCatalogue, Project } from '#lib/tools/core/catalogue.ts';
import type { ToolSource } from '#lib/tools/core/host.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import type { ToolCatalogues } from './tool-catalogues.ts';
import type { EgressLedger } from './web/egress-ledger.ts';

/** All that has to do with the page's tools. */
interface StudioTools extends LoadedTools {
  catalogues: ToolCatalogues;
  servers: McpServers;
}

/** How long to wait before trying to load the tools again, in milliseconds. */
const RETRY_MS = 2_000;

/** The tools of this page, loaded once. If their code cannot be loaded because the server is down, loading is retried. */
export class Tools {
  readonly #store: ThreadStore;
  readonly #vault: () => Promise<KeyVault>;
  readonly #onNewServers: (names: readonly string[]) => void;
  #loading: Promise<StudioTools> | undefined;
  #servers: McpServers | undefined;
  /** The tools that workspaces come with, by the ids of the workspaces. */
  readonly projectTools: StoreApi<ReadonlyMap<string, readonly Tool[]>> = createStore<
    ReadonlyMap<string, readonly Tool[]>
  >(() => new Map());
  #egress: Promise<EgressLedger> | undefined;

  /** `vault`: keeps the secrets of tool servers. `onNewServers`: called when the studio's operator offers others. */
  constructor(store: ThreadStore, vault: () => Promise<KeyVault>, onNewServers: (names: readonly string[]) => void) {
    this.#store = store;
    this.#vault = vault;
    this.#onNewServers = onNewServers;
  }

  /** The tool servers; undefined before the tools are loaded. */
  get servers(): McpServers | undefined {
    return this.#servers;
  }

  /** The requests of tools. Rejects if its code cannot be loaded. */
  egress(): Promise<EgressLedger> {
    this.#egress ??= import('./web/egress-ledger.ts').then(({ EgressLedger }) => EgressLedger.open(this.#store));
    // The next use tries again.
    this.#egress.catch(() => {
      this.#egress = undefined;
    });
    return this.#egress;
  }

  /** Never rejects: waits until the tools can be loaded. */
  load(): Promise<StudioTools> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The tools on offer in a workspace now, and what it tells the model, stored here. Never rejects, like `load`. */
  async catalogue(workspaceId?: string, project?: Project): Promise<NamedCatalogue> {
    const { catalogues, servers } = await this.load();
    servers.connectAll();
    return catalogues.current(project, this.projectToolsOf(workspaceId).list());
  }

  /** The tools that a workspace comes with, as they come and go. */
  projectToolsOf(workspaceId = ''): ToolSource {
    const list = () => this.projectTools.getState().get(workspaceId) ?? [];
    return { get: (name) => list().find((tool) => tool.name === name), list };
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
          { McpServers },
          { McpClient, startMcpWorker },
          { listStudioServers },
          { LoginWorker, startLoginWorker },
          { ServerLogins },
          { pageWeb },
          { serverRequest },
          egress,
        ] = await Promise.all([
          import('#lib/tools/toolsets.ts'),
          import('#lib/tools/core/executor.ts'),
          import('#lib/tools/core/host.ts'),
          import('#lib/tools/core/path-rules.ts'),
          import('./tool-catalogues.ts'),
          import('./mcp/mcp-servers.ts'),
          import('#lib/mcp/mcp-client.ts'),
          import('./mcp/studio-servers.ts'),
          import('#lib/mcp/login/login-client.ts'),
          import('./mcp/server-logins.ts'),
          import('./web/page-web.ts'),
          import('./web/server-request.ts'),
          this.egress(),
          // Load their runtimes, too, so that an allowed call still works if the server goes down.
          import('#lib/sandbox/sandbox.ts'),
        ]);
        const catalogues = new ToolCatalogues(registry, fragments, this.#store);
        const servers = await McpServers.open({
          store: this.#store,
          registry,
          vault: this.#vault,
          createClient: () => new McpClient(startMcpWorker),
          listStudioServers,
          onNewServers: this.#onNewServers,
          logins: new ServerLogins(this.#vault, () => new LoginWorker(startLoginWorker)),
          onCall: (toolCallId, ...call) => egress.sent(toolCallId, serverRequest(...call)),
        });
        const web = pageWeb(egress);
        const egressOf = (threadId: string) => egress.of(threadId);
        this.#servers = servers;
        return { registry, createToolExecutor, ToolHost, judgeCall, catalogues, servers, web, egressOf };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
