import { type ListedServer, missingVariables } from '#config/mcp-file.ts';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { pathOutside } from '#lib/confinement/environment.ts';
import type { McpDefinition } from '#lib/sources/mcp/definition.ts';
import { offeredTools } from '#lib/sources/mcp/offered-tools.ts';
import type { McpListing } from '#lib/sources/mcp/server-lists.ts';
import { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { EgressRecord } from '#lib/tools/core/egress.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { serverOf } from '#lib/tools/toolset-names.ts';
import { markSecret } from '#log/redact.ts';
import type { DescribedTool, ToolOrigin } from '../trust/pinned-tools.ts';
import { ServerLink } from './server-link.ts';

/** Options of `LocalServers`. */
export interface LocalServersOptions {
  servers: readonly ListedServer[];
  /** The folder that is worked on: real and absolute. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  registry: ToolRegistry;
  /** Whether a person can answer what servers ask. */
  asksForms: boolean;
  /** Something that the person should know. */
  onNotice(text: string): void;
  /** The record of the requests of calls. */
  egress?: Pick<EgressRecord, 'sent'> | undefined;
}

/** A server, and what it offers. */
interface Live {
  server: ListedServer;
  /** A text that tells the server apart from others of the same name. */
  identity: string;
  link: ServerLink;
  offer: ToolOffer<McpDefinition>;
}

/** The time for which the start waits for servers that do not answer, in milliseconds; their tools come later. */
const WAIT_MS = 20_000;

/** The tool servers of a person, whose tools are offered with those of a folder. */
export class LocalServers implements ToolOrigin {
  readonly #options: LocalServersOptions;
  readonly #live = new Map<string, Live>();
  /** Changes of what is on offer, one at a time. */
  readonly #queue = new SerialQueue();
  #isClosed = false;

  /** Connects to all of them. Never rejects: those that cannot be used are told of. */
  static async open(options: LocalServersOptions): Promise<LocalServers> {
    const servers = new LocalServers(options);
    const connecting = options.servers.map((server) => servers.#begin(server));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, WAIT_MS);
    });
    await Promise.race([Promise.all(connecting), late]);
    clearTimeout(timer);
    return servers;
  }

  private constructor(options: LocalServersOptions) {
    this.#options = options;
  }

  describe({ toolset, name }: ToolSpec): DescribedTool | undefined {
    const live = this.#live.get(serverOf(toolset) ?? '');
    const definition = live?.offer.definitionOf(name);
    if (live === undefined || definition === undefined) return undefined;
    return { definition, identity: live.identity, isListed: live.server.allow.includes(definition.name) };
  }

  /** Ends all connections, and the programs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.values()].map(({ link }) => link.close()));
  }

  async #begin(server: ListedServer): Promise<void> {
    const { env, root, asksForms, onNotice } = this.#options;
    const { name, at } = server;
    const names = server.type === 'program' ? server.env : Object.values(server.headers);
    for (const variable of names) markSecret(variable);
    const missing = missingVariables(server, env);
    if (missing.length > 0)
      return onNotice(`The tool server “${name}” is not used: ${missing.join(', ')} must be set (${at}).`);
    const { allow: _, title: __, at: ___, ...reached } = server;
    const live: Live = {
      ...{ server, offer: new ToolOffer<McpDefinition>(this.#options.registry) },
      identity: await sha256(canonicalJson(reached)),
      link: new ServerLink({
        ...{ server, asksForms, egress: this.#options.egress },
        // A program in the folder must not take the place of one of the person's.
        env: { ...env, PATH: pathOutside(env.PATH, root) },
        onListing: (listing) => this.#queue.run(() => this.#offer(live, listing)),
      }),
    };
    this.#live.set(name, live);
    try {
      await live.link.connect();
    } catch (error) {
      if (!this.#isClosed) onNotice(`The tool server “${name}” cannot be used. ${messageOf(error)}`);
    }
  }

  async #offer(live: Live, listing: McpListing): Promise<void> {
    const { onNotice } = this.#options;
    const { name } = live.server;
    const { tools, refused } = await offeredTools(live.offer, listing, {
      ...{ server: name, url: live.server.type === 'address' ? live.server.url : undefined },
      call: (...call) => live.link.call(...call),
    });
    if (this.#isClosed) return;
    if (refused.length > 0)
      onNotice(
        `The tool server “${name}” has tools that are not offered: ${refused
          .slice(0, 5)
          .map((one) => `${one.name} (${one.reason})`)
          .join(', ')}${refused.length > 5 ? ` and ${refused.length - 5} more` : ''}`,
      );
    const problem = live.offer.replace(tools);
    if (problem !== undefined) onNotice(`The tools of “${name}” are not offered. ${problem}`);
  }
}
