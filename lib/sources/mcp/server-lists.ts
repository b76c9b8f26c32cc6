import { type Client, type ProtocolEra, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import { type McpDefinition, readDefinitions } from './definition.ts';
import { MCP_LIMITS } from './limits.ts';
import type { ListEntry, ListName, ListSieve, ReadEntries } from './list-sieve.ts';
import {
  type McpPrompt,
  type McpResource,
  type McpTemplate,
  readPrompts,
  readResources,
  readTemplates,
} from './listed-content.ts';
import { McpError, problemOf } from './mcp-error.ts';

/** A server that has answered, and what it offers. Plain data. */
export interface McpListing {
  /** The title that the server gives itself. */
  title: string;
  /** The generation of the protocol that the server speaks: `legacy` or `modern`. */
  era: ProtocolEra;
  tools: McpDefinition[];
  prompts: McpPrompt[];
  resources: McpResource[];
  templates: McpTemplate[];
  /** Whether the server suggests values for arguments of prompts and templates. */
  completes: boolean;
  /** Entries that are not offered: tools by their names, others by names such as `prompts/review`. */
  refused: RefusedTool[];
  /** The time for which the listing counts as current, in milliseconds; absent if the server reports changes. */
  freshMs?: number;
}

/** Options of every request for a list. They bypass the client's cache. */
const OPTIONS = { timeout: MCP_LIMITS.listMs, cacheMode: 'refresh' } as const;

const BAD_HEADER = 'Its schema asks for headers in a way that the protocol does not allow.';

/**
 * The lists besides tools: the name of each in `refused`, the server's capability that it belongs to, and the request for it.
 */
const LISTS = {
  prompts: { title: 'prompts', capability: 'prompts', ask: (client: Client) => client.listPrompts(undefined, OPTIONS) },
  resources: {
    title: 'resources',
    capability: 'resources',
    ask: (client: Client) => client.listResources(undefined, OPTIONS),
  },
  resourceTemplates: {
    title: 'templates',
    capability: 'resources',
    ask: (client: Client) => client.listResourceTemplates(undefined, OPTIONS),
  },
} as const;

/** Reads the tools, prompts, resources, and resource templates that a connected server offers. */
export class ServerLists {
  readonly #client: Client;
  readonly #sieve: ListSieve;
  readonly #origin: string | undefined;
  readonly #queue = new SerialQueue();
  /** The time for which each list counts as current, in milliseconds. Lists whose changes the server reports are not in it. */
  readonly #fresh = new Map<ListName, number>();

  /** `origin`: the server's address, if it has one. */
  constructor(client: Client, sieve: ListSieve, origin: string | undefined) {
    this.#client = client;
    this.#sieve = sieve;
    this.#origin = origin;
  }

  /** Lists what the server offers now. Rejects with `McpError`. */
  read(): Promise<McpListing> {
    return this.#queue.run(async () => {
      this.#fresh.clear();
      try {
        const [tools, prompts, resources, templates] = await Promise.all([
          this.#tools(),
          this.#offered('prompts', readPrompts),
          this.#offered('resources', readResources),
          this.#offered('resourceTemplates', readTemplates),
        ]);
        const { title, name = '' } = this.#client.getServerVersion() ?? {};
        return {
          title: (title ?? name).slice(0, MCP_LIMITS.name),
          era: this.#client.getProtocolEra() ?? 'legacy',
          tools: tools.offered,
          prompts: prompts.offered,
          resources: resources.offered,
          templates: templates.offered,
          completes: this.#client.getServerCapabilities()?.completions !== undefined,
          refused: [tools, prompts, resources, templates].flatMap(({ refused }) => refused),
          ...(this.#fresh.size > 0 && { freshMs: Math.min(...this.#fresh.values()) }),
        };
      } catch (error) {
        throw new McpError(problemOf(error));
      }
    });
  }

  async #tools(): Promise<{ offered: McpDefinition[]; refused: RefusedTool[] }> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { offered: [], refused: [] };
    let names = new Set<string>();
    const { entries, refused } = await this.#read('tools', async () => {
      const result = await this.#client.listTools(undefined, OPTIONS);
      names = new Set(result.tools.map(({ name }) => name));
      return result;
    });
    const read = await readDefinitions(
      entries.filter(({ name }) => names.has(name)),
      this.#origin,
    );
    // The client leaves out those whose arguments it could not send as the protocol asks for.
    const left = entries.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, reason: BAD_HEADER }));
    return { offered: read.tools, refused: [...refused, ...left, ...read.refused] };
  }

  /** Reads a list other than the tools. If that fails, `refused` says so, and the other lists are not affected. */
  async #offered<List extends keyof typeof LISTS, Entry>(
    list: List,
    read: (entries: ListEntry<List>[]) => { offered: Entry[]; refused: RefusedTool[] },
  ): Promise<{ offered: Entry[]; refused: RefusedTool[] }> {
    const { title, capability, ask } = LISTS[list];
    if (this.#client.getServerCapabilities()?.[capability] === undefined) return { offered: [], refused: [] };
    try {
      const { entries, refused } = await this.#read(list, () => ask(this.#client));
      const { offered, refused: others } = read(entries);
      const all = [...refused, ...others].slice(0, MCP_LIMITS.tools);
      return { offered, refused: all.map(({ name, reason }) => ({ name: `${title}/${name}`, reason })) };
    } catch (error) {
      // Many servers with resources know nothing of templates.
      const isUnknown = error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound;
      if (isUnknown && list === 'resourceTemplates') return { offered: [], refused: [] };
      return { offered: [], refused: [{ name: title, reason: problemOf(error).detail }] };
    }
  }

  /** Asks for a list, and returns its well-formed entries and the refused ones. */
  async #read<List extends ListName>(list: List, ask: () => Promise<object>): Promise<ReadEntries<List>> {
    this.#sieve.begin(list);
    let read: ReadEntries<List>;
    try {
      const { ttlMs } = (await ask()) as { ttlMs?: unknown };
      // One that neither tells of changes nor says how long the list holds could change it at any time.
      if (!this.#tellsOf(list)) this.#fresh.set(list, typeof ttlMs === 'number' ? ttlMs : 0);
    } finally {
      read = this.#sieve.end(list);
    }
    return read;
  }

  /** Checks whether the server reports changes of a list. */
  #tellsOf(list: ListName): boolean {
    if (this.#client.getProtocolEra() !== 'modern') {
      const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
      return { tools, prompts, resources, resourceTemplates: resources }[list]?.listChanged === true;
    }
    const told = this.#client.autoOpenedSubscription?.honoredFilter;
    if (list === 'tools') return told?.toolsListChanged === true;
    return list === 'prompts' ? told?.promptsListChanged === true : told?.resourcesListChanged === true;
  }
}
