import { type ListedServer, missingVariables } from '#config/mcp-file.ts';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { pathOutside } from '#lib/confinement/environment.ts';
import { offeredTools } from '#lib/sources/mcp/offered-tools.ts';
import type { McpListing } from '#lib/sources/mcp/server-lists.ts';
import { SourceList, type UsedSource } from '#lib/sources/source-list.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { TOOL_SERVER } from '#lib/tools/toolset-names.ts';
import { markSecret } from '#log/redact.ts';
import type { DescribedTool, DescribedTools } from '../trust/pinned-tools.ts';
import { refusalNotice } from './refusal-notice.ts';
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
  /** Shows a notice to the person. */
  onNotice(text: string): void;
  /** The record of the requests that calls send; nothing is recorded if absent. */
  egress?: Pick<EgressRecord, 'sent'> | undefined;
}

/** A server that is in use. */
interface UsedServer extends UsedSource {
  server: ListedServer;
  /** A hash of the server's settings, which tells it apart from others of the same name. */
  identity: string;
  link: ServerLink;
}

/**
 * The time for which the start waits for servers that do not answer, in milliseconds; their tools come later. It is longer than
 * the 20 seconds that connecting may take, so that a server that never answers is named with the reason.
 */
const WAIT_MS = 30_000;

/**
 * The tool servers of a person, whose tools are offered with those of a folder. `describe` returns the current description of
 * such a tool; undefined if it is none of theirs.
 */
export class LocalServers implements DescribedTools {
  readonly #options: LocalServersOptions;
  readonly #list: SourceList<UsedServer>;

  /**
   * Connects to all servers, and waits for them for at most `WAIT_MS`. Never rejects: a notice names each server that cannot be
   * used, or has not answered until then.
   */
  static async open(options: LocalServersOptions): Promise<LocalServers> {
    const servers = new LocalServers(options);
    const silent = new Set(options.servers.map(({ name }) => name));
    const connecting = options.servers.map((server) =>
      servers.#begin(server).finally(() => {
        silent.delete(server.name);
      }),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, WAIT_MS);
    });
    await Promise.race([Promise.all(connecting), late]);
    clearTimeout(timer);
    for (const name of silent)
      options.onNotice(`The tool server “${name}” has not answered yet. Its tools are offered once it does.`);
    return servers;
  }

  private constructor(options: LocalServersOptions) {
    this.#options = options;
    this.#list = new SourceList({ registry: options.registry, kind: TOOL_SERVER, end: () => undefined });
  }

  describe(tool: ToolSpec): DescribedTool | undefined {
    const found = this.#list.find(tool);
    if (found === undefined) return undefined;
    const { definition, used } = found;
    return { definition, identity: used.identity, isListed: used.server.allow.includes(definition.name) };
  }

  /** Ends all connections, and the programs that were started as servers. */
  async close(): Promise<void> {
    const links = this.#list.names.flatMap((name) => this.#list.get(name)?.link ?? []);
    this.#list.close();
    await Promise.all(links.map((link) => link.close()));
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
    const identity = await sha256(canonicalJson(reached));
    const link = new ServerLink({
      server,
      asksForms,
      egress: this.#options.egress,
      // A program in the folder must not take the place of one of the person's.
      env: { ...env, PATH: pathOutside(env.PATH, root) },
      onListing: (listing) => this.#list.inTurn(() => this.#offer(name, listing)),
    });
    if (this.#list.begin(name, (offer) => ({ server, offer, identity, link })) === undefined) return;
    try {
      await link.connect();
    } catch (error) {
      if (!this.#list.isClosed) onNotice(`The tool server “${name}” cannot be used. ${messageOf(error)}`);
    }
  }

  async #offer(name: string, listing: McpListing): Promise<void> {
    const { onNotice } = this.#options;
    const used = this.#list.get(name);
    if (used === undefined) return;
    const { server, link, offer } = used;
    const offered = await this.#list.offer(name, used, () =>
      offeredTools(offer, listing, {
        server: name,
        url: server.type === 'address' ? server.url : undefined,
        call: (...call) => link.call(...call),
      }),
    );
    if (offered === undefined) return;
    const { refused, problem } = offered;
    if (refused.length > 0) onNotice(refusalNotice(`The tool server “${name}”`, refused));
    if (problem !== undefined) onNotice(`The tools of “${name}” are not offered. ${problem}`);
  }
}
