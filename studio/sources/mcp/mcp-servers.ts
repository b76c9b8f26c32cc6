import { canonicalJson } from '#lib/base/canonical-json.ts';
import { coalesced } from '#lib/base/coalesced.ts';
import { defined } from '#lib/base/defined.ts';
import { freshUntil } from '#lib/sources/mcp/fresh-until.ts';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { offeredTools } from '#lib/sources/mcp/offered-tools.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import type { ToolOffer } from '#lib/sources/tool-offer.ts';
import { TOOL_SERVER } from '#lib/tools/toolset-names.ts';
import { MCP_CONNECTION_HEADER } from '#lib/wire/mcp.ts';
import { StoredSources } from '../stored-sources.ts';
import { beginServer, type McpServer, type McpServersOptions, type UsedServer } from './mcp-server.ts';
import { McpStore, type StoredListing } from './mcp-store.ts';
import { ServerCalls } from './server-calls.ts';
import type { ServerLogins } from './server-logins.ts';
import { ServerSecrets } from './server-secrets.ts';
import { storedServers } from './stored-servers.ts';

/** The time before a server that could not be reached is tried again, in milliseconds. */
const RETRY_AFTER_MS = 30_000;

/**
 * The tool servers of the person, and of the studio's operator. The tools that each offered last are stored, so that they are
 * on offer at once, and a call that waits for the person still has its tool after a reload. A server is connected to when the
 * page is first idle or a run begins (see `connectAll`), when it is turned on, or when one of its tools is called.
 */
export class McpServers extends StoredSources<McpServer, UsedServer> {
  readonly logins: ServerLogins;
  readonly calls: ServerCalls;
  readonly #options: McpServersOptions;
  readonly #store: McpStore;
  readonly #secrets: ServerSecrets;
  /** When the operator's servers were listed last, in milliseconds since the epoch. */
  #listedAt = 0;

  /** Opens the stored servers, and offers the tools that they offered last. Connects to none of them yet. */
  static async open(options: McpServersOptions): Promise<McpServers> {
    const servers = new McpServers(options, new McpStore(options.store));
    await servers.start();
    void servers.#listStudioServers();
    return servers;
  }

  private constructor(options: McpServersOptions, store: McpStore) {
    super({ ...options, pins: store.pins, kind: TOOL_SERVER, end: ({ client }) => client.end() });
    this.#options = options;
    this.#store = store;
    this.#secrets = new ServerSecrets(options.vault);
    this.calls = new ServerCalls({
      server: (name) => this.shown(name),
      used: (name) => this.list.get(name),
      connect: (name) => this.connect(name),
      refresh: (name) => this.#refresh(name),
      show: (name, change) => this.show(name, change),
      onRequest: (...request) => options.onRequest?.(...request),
    });
    this.logins = options.logins;
  }

  /**
   * Connects to every server that is on and not connected, unless that was tried a moment ago. Asks connected servers again for
   * what they offer, if their lists are out of date.
   */
  override connectAll(): void {
    if (Date.now() - this.#listedAt > RETRY_AFTER_MS) void this.#listStudioServers();
    for (const { config, status } of this.state.getState()) {
      const triedAt = this.list.get(config.name)?.triedAt ?? 0;
      if ((status === 'idle' || status === 'failed') && Date.now() - triedAt > RETRY_AFTER_MS)
        void this.connect(config.name);
      else void this.#refresh(config.name);
    }
  }

  /** Asks a connected server again for what it offers, if its last list no longer counts as up to date. Never rejects. */
  async #refresh(name: string): Promise<void> {
    const used = this.list.get(name);
    if (used === undefined || this.shown(name)?.status !== 'ready' || Date.now() < used.freshUntil) return;
    await this.#list(name, used);
  }

  /**
   * Connects to a server that is on; resolves when that has succeeded or failed, as `state` says. Does nothing for any other
   * server.
   */
  connect(name: string): Promise<void> {
    const used = this.list.get(name);
    if (used === undefined) return Promise.resolve();
    used.connecting ??= this.#connect(name, used).finally(() => {
      used.connecting = undefined;
    });
    return used.connecting;
  }

  /**
   * Adds a server in place of one with the same name, whose login and permissions are deleted. `headers`: their values are
   * secrets. Rejects with `VaultLocked` or `StorageError`.
   */
  async add(
    { name, url, isOn = true }: Pick<ServerConfig, 'name' | 'url'> & Partial<Pick<ServerConfig, 'isOn'>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#secrets.put({ name, url }, headers);
    // Nothing that another server of this name offered, or was allowed, is left to this one.
    await this.#store.forget(name);
    await this.logins.end(this.shown(name)?.config ?? { name, url });
    const config = { name, url, isOn, headers: Object.keys(headers) };
    await this.#store.update((all) => {
      const others = all.filter((one) => one.name !== name);
      const place = all.findIndex((one) => one.name === name);
      return others.toSpliced(place < 0 ? others.length : place, 0, config).slice(0, MCP_LIMITS.servers);
    });
    await this.read();
  }

  /**
   * Changes a server's address, and connects to it there if it is on. Keeps its name, but deletes what it was allowed, its
   * login, and the values of its headers, which belong to the old address. Rejects like `add`.
   */
  async move(name: string, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const server = this.shown(name);
    if (server === undefined) return;
    await this.add({ name, url, isOn: server.config.isOn }, headers);
    await this.connect(name);
  }

  /**
   * Changes a server's headers to those with these names, and connects again. A name without a value keeps the one that it
   * has. Rejects like `add`.
   */
  async changeHeaders(name: string, names: readonly string[], values: Readonly<Record<string, string>>): Promise<void> {
    const server = this.shown(name);
    if (server === undefined) return;
    await this.#secrets.change(server.config, names, values);
    await this.#change(name, { headers: [...names] });
    await this.#reconnect(name);
  }

  /** Stores the issuer at which the person has logged in, undefined after they have logged out, and connects again. */
  async changeLogin(name: string, issuer: string | undefined): Promise<void> {
    await this.#change(name, { login: issuer });
    await this.#reconnect(name);
  }

  override async turn(name: string, isOn: boolean): Promise<void> {
    await super.turn(name, isOn);
    if (isOn) await this.connect(name);
  }

  async #reconnect(name: string): Promise<void> {
    await this.read();
    const used = this.list.get(name);
    used?.client.end();
    await used?.connecting;
    await this.connect(name);
  }

  async #change(name: string, change: Partial<Pick<ServerConfig, 'isOn' | 'headers' | 'login'>>): Promise<void> {
    await this.#store.update((all) => all.map((one) => (one.name === name ? { ...one, ...change } : one)));
  }

  protected override nameOf = ({ config }: McpServer): string => config.name;
  protected override isOn = ({ config }: McpServer): boolean => config.isOn;
  protected override isSame = (before: McpServer, now: McpServer): boolean => before.config.url === now.config.url;
  protected override begin = (_: McpServer, offer: ToolOffer): UsedServer =>
    beginServer(this.#options.createClient(), offer);

  protected override stored = (known: ReadonlyMap<string, McpServer>) => storedServers(this.#store, known);

  protected override storeTurn(name: string, isOn: boolean): Promise<void> {
    return this.shown(name)?.isFromStudio === true
      ? this.#store.turnStudioServer(name, isOn)
      : this.#change(name, { isOn });
  }

  protected override async storeRemoval(name: string): Promise<void> {
    await this.#store.update((all) => all.filter((one) => one.name !== name));
    await this.#store.forget(name);
  }

  protected override async deleteSecrets(name: string, server: McpServer | undefined): Promise<void> {
    await this.#secrets.delete(name);
    if (server !== undefined) await this.logins.end(server.config);
  }

  /** Finds out which servers the operator offers. While that fails, those that are known stay. */
  async #listStudioServers(): Promise<void> {
    this.#listedAt = Date.now();
    try {
      const listed = await this.#options.listStudioServers();
      const { isChanged, added } = await this.#store.putStudioServers(listed);
      if (isChanged) await this.read();
      if (added.length > 0) this.#options.onNewServers(added);
      for (const name of added) void this.connect(name);
    } catch {
      // The studio's server is down, or the storage fails, which shows elsewhere.
    }
  }

  async #connect(name: string, used: UsedServer): Promise<void> {
    used.triedAt = Date.now();
    this.show(name, { status: 'connecting', problem: undefined });
    const server = this.shown(name);
    if (server === undefined) return;
    const headers = await this.#secrets.of(server.config);
    if ('problem' in headers) return this.show(name, { status: 'failed', problem: headers.problem });
    const access = {
      url: server.config.url,
      headers: {
        ...headers.values,
        // The studio's server knows the connection by a name that nobody else can know.
        ...(server.isFromStudio && { [MCP_CONNECTION_HEADER]: crypto.randomUUID() }),
      },
    };
    const listAgain = coalesced(() => this.#list(name, used), MCP_LIMITS.relistMs);
    const opened = await used.client.open(
      access,
      server.listing?.route,
      (event) => {
        if (!this.list.uses(name, used)) return;
        if (event === 'changed') listAgain();
        else if (this.shown(name)?.status === 'ready') this.show(name, { status: 'idle' });
      },
      this.logins.tokensOf(server.config),
    );
    if (!this.list.uses(name, used)) return;
    if ('problem' in opened) return this.show(name, { status: 'failed', problem: opened.problem });
    await this.#take(name, used, { ...opened.listing, route: opened.route });
  }

  /** Asks a server again for what it offers, unless that is happening already. */
  #list(name: string, used: UsedServer): Promise<void> {
    used.listing ??= this.#listAgain(name, used).finally(() => {
      used.listing = undefined;
    });
    return used.listing;
  }

  async #listAgain(name: string, used: UsedServer): Promise<void> {
    if (!this.list.uses(name, used)) return;
    const listing = await used.client.list();
    const route = this.shown(name)?.listing?.route;
    // If it fails, the next connection asks again.
    if (this.list.uses(name, used) && route !== undefined && !('problem' in listing))
      await this.#take(name, used, { ...listing, route });
  }

  async #take(name: string, used: UsedServer, { freshMs, ...listing }: StoredListing): Promise<void> {
    used.freshUntil = freshUntil(freshMs);
    const isSame = await this.list.inTurn(async () => {
      const before = this.shown(name)?.listing;
      await this.#offer(name, used, listing);
      // Only now: whoever calls a tool has to wait until what is offered is what the server says.
      if (this.list.uses(name, used)) this.show(name, { status: 'ready' });
      return canonicalJson(listing) === canonicalJson(before);
    });
    // If it cannot be stored, the next page asks for it again.
    if (!isSame) await this.#store.putListing(name, listing).catch(() => undefined);
  }

  protected override offer = ({ config, listing }: McpServer, used: UsedServer): Promise<void> =>
    this.#offer(config.name, used, listing);

  /** Replaces the tools that a server offers. Tools that have not changed stay the same. */
  async #offer(name: string, used: UsedServer, listing: StoredListing | undefined): Promise<void> {
    const offered = await this.list.offer(name, used, () =>
      offeredTools(used.offer, listing, {
        server: name,
        url: this.shown(name)?.config.url,
        call: this.calls.callerOf(name),
      }),
    );
    if (offered === undefined) return;
    const { refused, tokens, problem: detail } = offered;
    const problem: McpServer['problem'] = detail === undefined ? undefined : { code: 'not-offered', detail };
    this.show(name, { listing, refused, tokens, ...defined({ problem }) });
  }
}
