import { createStore, type StoreApi } from 'zustand/vanilla';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import { coalesced } from '#lib/base/coalesced.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { CompletionRequest } from '#lib/sources/mcp/completion.ts';
import { freshUntil } from '#lib/sources/mcp/fresh-until.ts';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import type { McpContent, McpContentRequest, McpSuggestions } from '#lib/sources/mcp/mcp-host.ts';
import { offeredTools } from '#lib/sources/mcp/offered-tools.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import { ToolOffer } from '#lib/sources/tool-offer.ts';
import { serverOf } from '#lib/tools/toolset-names.ts';
import { MCP_CONNECTION_HEADER } from '#lib/wire/mcp.ts';
import { type ExternalTools, SourcePins } from '../sources/pins.ts';
import { beginServer, type LiveServer, type McpServer, type McpServersOptions } from './mcp-server.ts';
import { McpStore, type StoredListing } from './mcp-store.ts';
import { ServerCalls } from './server-calls.ts';
import type { ServerLogins } from './server-logins.ts';
import { ServerSecrets } from './server-secrets.ts';
import { studioServerConfig } from './studio-servers.ts';

/** The time before a server that could not be reached is tried again, in milliseconds. */
const RETRY_AFTER_MS = 30_000;

/**
 * The tool servers of the person, and of the studio's operator. What each offered last is stored, so that its tools are
 * there at once, and a call that waits outlives the page; a server is connected to when the page is idle, or when one of
 * its tools is called.
 */
export class McpServers {
  readonly state: StoreApi<readonly McpServer[]> = createStore<readonly McpServer[]>(() => []);
  readonly logins: ServerLogins;
  readonly pins: ExternalTools;
  readonly #options: McpServersOptions;
  readonly #store: McpStore;
  readonly #secrets: ServerSecrets;
  readonly #live = new Map<string, LiveServer>();
  /** Changes of what is on offer, one at a time. */
  readonly #queue = new SerialQueue();
  #isReading = false;
  /** When the operator's servers were listed last, in milliseconds since the epoch. */
  #listedAt = 0;
  readonly #calls: ServerCalls;

  /** Offers what the servers offered last. A storage that cannot be read counts as empty. */
  static async open(options: McpServersOptions): Promise<McpServers> {
    const servers = new McpServers(options);
    await servers.#read().catch(() => undefined);
    void servers.#listStudioServers();
    options.store.subscribe((change) => {
      if (change.type === 'settings') servers.#readSoon();
    });
    return servers;
  }

  private constructor(options: McpServersOptions) {
    this.#options = options;
    this.#store = new McpStore(options.store);
    this.#secrets = new ServerSecrets(options.vault);
    this.#calls = new ServerCalls({
      server: (name) => this.#server(name),
      live: (name) => this.#live.get(name),
      connect: (name) => this.connect(name),
      refresh: (name) => this.#refresh(name),
      show: (name, change) => this.#show(name, change),
      onRequest: (...request) => options.onRequest?.(...request),
    });
    this.logins = options.logins;
    this.pins = new SourcePins(this.#store.pins, { sourceOf: serverOf, live: this.#live });
  }

  /** Ends all connections, and the calls that are under way. */
  close(): void {
    for (const name of this.#live.keys()) this.#end(name);
  }

  /** Connects to every server that is on and not connected, unless that was tried a moment ago. */
  connectAll(): void {
    if (Date.now() - this.#listedAt > RETRY_AFTER_MS) void this.#listStudioServers();
    for (const { config, status } of this.state.getState()) {
      const triedAt = this.#live.get(config.name)?.triedAt ?? 0;
      if ((status === 'idle' || status === 'failed') && Date.now() - triedAt > RETRY_AFTER_MS)
        void this.connect(config.name);
      else void this.#refresh(config.name);
    }
  }

  /** Asks a server again for what it offers, once the time is over that it gave this. Never rejects. */
  async #refresh(name: string): Promise<void> {
    const live = this.#live.get(name);
    if (live === undefined || this.#server(name)?.status !== 'ready' || Date.now() < live.freshUntil) return;
    await this.#list(name, live);
  }

  /** Connects to a server; resolves when that has succeeded or failed, as `state` says. */
  connect(name: string): Promise<void> {
    const live = this.#live.get(name);
    if (live === undefined) return Promise.resolve();
    live.connecting ??= this.#connect(name, live).finally(() => {
      live.connecting = undefined;
    });
    return live.connecting;
  }

  /** A resource or a prompt of a server, for a message. Connects to the server if necessary. Never rejects. */
  content(name: string, request: McpContentRequest, signal: AbortSignal): Promise<McpContent> {
    return this.#calls.content(name, request, signal);
  }

  /** Returns suggestions for an argument of a prompt or resource template. Connects if necessary. Never rejects. */
  complete(name: string, request: CompletionRequest, signal: AbortSignal): Promise<McpSuggestions> {
    return this.#calls.complete(name, request, signal);
  }

  /** Adds a server. Rejects with `VaultLocked` or `StorageError`. `headers`: their values are secrets. */
  async add(
    { name, url, isOn = true }: Pick<ServerConfig, 'name' | 'url'> & Partial<Pick<ServerConfig, 'isOn'>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#secrets.put({ name, url }, headers);
    // Nothing that another server of this name offered, or was allowed, is left to this one.
    await this.#store.forget(name);
    await this.logins.end(this.#server(name)?.config ?? { name, url });
    const config = { name, url, isOn, headers: Object.keys(headers) };
    await this.#store.update((all) => {
      const others = all.filter((one) => one.name !== name);
      const place = all.findIndex((one) => one.name === name);
      return others.toSpliced(place < 0 ? others.length : place, 0, config).slice(0, MCP_LIMITS.servers);
    });
    await this.#read();
  }

  /**
   * Changes a server's address, and connects to it there if it is on. Its name stays; what it was allowed, its login, and
   * the values of its headers belong to the old address. Rejects like `add`.
   */
  async move(name: string, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const server = this.#server(name);
    if (server === undefined) return;
    await this.add({ name, url, isOn: server.config.isOn }, headers);
    await this.connect(name);
  }

  /**
   * Changes a server's headers to those with these names, and connects again. A name without a value keeps the one that it
   * has. Rejects like `add`.
   */
  async changeHeaders(name: string, names: readonly string[], values: Readonly<Record<string, string>>): Promise<void> {
    const server = this.#server(name);
    if (server === undefined) return;
    const known = await this.#secrets.of(server.config);
    const all = { ...('values' in known && known.values), ...values };
    const headers = Object.fromEntries(
      names.flatMap((one) => (Object.hasOwn(all, one) ? [[one, all[one] ?? '']] : [])),
    );
    await this.#secrets.put(server.config, headers);
    await this.#change(name, { headers: [...names] });
    await this.#reconnect(name);
  }

  /** Stores that the person has logged in at an issuer, or has logged out, and connects again. */
  async changeLogin(name: string, issuer: string | undefined): Promise<void> {
    await this.#change(name, { login: issuer });
    await this.#reconnect(name);
  }

  async turn(name: string, isOn: boolean): Promise<void> {
    if (this.#server(name)?.isFromStudio === true) await this.#store.turnStudioServer(name, isOn);
    else await this.#change(name, { isOn });
    await this.#read();
    if (isOn) await this.connect(name);
  }

  /** Removes a server, its secrets, and what was allowed of it. */
  async remove(name: string): Promise<void> {
    const server = this.#server(name);
    await this.#store.update((all) => all.filter((one) => one.name !== name));
    await this.#store.forget(name);
    await this.#read();
    await this.#secrets.delete(name);
    if (server !== undefined) await this.logins.end(server.config);
  }

  async #reconnect(name: string): Promise<void> {
    await this.#read();
    const live = this.#live.get(name);
    live?.client.end();
    await live?.connecting;
    await this.connect(name);
  }

  #server(name: string): McpServer | undefined {
    return this.state.getState().find(({ config }) => config.name === name);
  }

  #show(name: string, change: Partial<Omit<McpServer, 'config'>>): void {
    this.state.setState(
      this.state.getState().map((one) => (one.config.name === name ? { ...one, ...change } : one)),
      true,
    );
  }

  async #change(name: string, change: Partial<Pick<ServerConfig, 'isOn' | 'headers' | 'login'>>): Promise<void> {
    await this.#store.update((all) => all.map((one) => (one.name === name ? { ...one, ...change } : one)));
  }

  /** Reads again what is stored; several requests at once are one. */
  #readSoon(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    setTimeout(() => {
      this.#isReading = false;
      // The servers stay as they were; the next change of the settings reads them again.
      this.#read().catch(() => undefined);
    });
  }

  #read(): Promise<void> {
    return this.#queue.run(async () => {
      const own = await this.#store.servers();
      const offered = new Map((await this.#store.studioServers()).map((one) => [one.name, one]));
      // Where names clash, the person's server is meant.
      const hidden = new Set(own.filter(({ name }) => offered.delete(name)).map(({ name }) => name));
      const studio = [...offered.values()];
      const known = new Map(this.state.getState().map((server) => [server.config.name, server]));
      const servers = await Promise.all(
        [...own, ...studio.map(studioServerConfig)].map(async (config): Promise<McpServer> => {
          const before = known.get(config.name);
          const { name } = config;
          const isFromStudio = offered.has(name);
          const of = { config, isFromStudio, title: offered.get(name)?.title, hidesStudioServer: hidden.has(name) };
          // A connected tab knows better than what another tab has stored.
          const isFresh = !config.isOn || before?.status === 'ready';
          const listing = isFresh ? before?.listing : await this.#store.listing(name);
          if (before?.config.isOn === config.isOn && before.config.url === config.url)
            return { ...before, ...of, listing };
          const status = config.isOn ? 'idle' : 'off';
          return { ...of, status, problem: undefined, listing, refused: [], tokens: 0 };
        }),
      );
      this.state.setState(servers, true);
      for (const name of this.#live.keys()) {
        const server = servers.find(({ config }) => config.name === name && config.isOn);
        // Another server of the same name has nothing to do with the connection.
        if (server === undefined || known.get(name)?.config.url !== server.config.url) this.#end(name);
      }
      for (const { config, listing } of servers) {
        if (!config.isOn) continue;
        const live = this.#live.get(config.name) ?? this.#begin(config.name);
        live.pins = await this.#store.pins.of(config.name);
        await this.#offer(config.name, live, listing);
      }
    });
  }

  /** Finds out which servers the operator offers. While that fails, those that are known stay. */
  async #listStudioServers(): Promise<void> {
    this.#listedAt = Date.now();
    try {
      const listed = await this.#options.listStudioServers();
      const { isChanged, added } = await this.#store.putStudioServers(listed);
      if (isChanged) await this.#read();
      if (added.length > 0) this.#options.onNewServers(added);
      for (const name of added) void this.connect(name);
    } catch {
      // The studio's server is down, or the storage fails, which shows elsewhere.
    }
  }

  #begin(name: string): LiveServer {
    const live = beginServer(this.#options.createClient(), new ToolOffer(this.#options.registry));
    this.#live.set(name, live);
    return live;
  }

  #end(name: string): void {
    const live = this.#live.get(name);
    this.#live.delete(name);
    live?.client.end();
    live?.offer.withdraw();
  }

  async #connect(name: string, live: LiveServer): Promise<void> {
    live.triedAt = Date.now();
    this.#show(name, { status: 'connecting', problem: undefined });
    const server = this.#server(name);
    if (server === undefined) return;
    const headers = await this.#secrets.of(server.config);
    if ('problem' in headers) return this.#show(name, { status: 'failed', problem: headers.problem });
    const access = {
      url: server.config.url,
      headers: {
        ...headers.values,
        // The studio's server knows the connection by a name that nobody else can know.
        ...(server.isFromStudio && { [MCP_CONNECTION_HEADER]: crypto.randomUUID() }),
      },
    };
    const listAgain = coalesced(() => this.#list(name, live), MCP_LIMITS.relistMs);
    const opened = await live.client.open(
      access,
      server.listing?.route,
      (event) => {
        if (this.#live.get(name) !== live) return;
        if (event === 'changed') listAgain();
        else if (this.#server(name)?.status === 'ready') this.#show(name, { status: 'idle' });
      },
      this.logins.tokensOf(server.config),
    );
    if (this.#live.get(name) !== live) return;
    if ('problem' in opened) return this.#show(name, { status: 'failed', problem: opened.problem });
    await this.#take(name, live, { ...opened.listing, route: opened.route });
  }

  /** Asks a server for its tools again. */
  #list(name: string, live: LiveServer): Promise<void> {
    live.listing ??= this.#listAgain(name, live).finally(() => {
      live.listing = undefined;
    });
    return live.listing;
  }

  async #listAgain(name: string, live: LiveServer): Promise<void> {
    if (this.#live.get(name) !== live) return;
    const listing = await live.client.list();
    const route = this.#server(name)?.listing?.route;
    // If it fails, the next connection asks again.
    if (this.#live.get(name) === live && route !== undefined && !('problem' in listing))
      await this.#take(name, live, { ...listing, route });
  }

  async #take(name: string, live: LiveServer, { freshMs, ...listing }: StoredListing): Promise<void> {
    live.freshUntil = freshUntil(freshMs);
    const isSame = await this.#queue.run(async () => {
      const before = this.#server(name)?.listing;
      await this.#offer(name, live, listing);
      // Only now: whoever calls a tool has to wait until what is offered is what the server says.
      if (this.#live.get(name) === live) this.#show(name, { status: 'ready' });
      return canonicalJson(listing) === canonicalJson(before);
    });
    // If it cannot be stored, the next page asks for it again.
    if (!isSame) await this.#store.putListing(name, listing).catch(() => undefined);
  }

  /** Puts what a server offers in the place of what it offered before. Tools that have not changed stay the same. */
  async #offer(name: string, live: LiveServer, listing: StoredListing | undefined): Promise<void> {
    const { tools, refused } = await offeredTools(live.offer, listing, {
      ...{ server: name, url: this.#server(name)?.config.url },
      call: this.#calls.callerOf(name),
    });
    if (this.#live.get(name) !== live) return;
    const detail = live.offer.replace(tools);
    const problem: McpServer['problem'] = detail === undefined ? undefined : { code: 'not-offered', detail };
    const { tokens } = live.offer;
    this.#show(name, { listing, refused, tokens, ...(problem !== undefined && { problem }) });
  }
}
