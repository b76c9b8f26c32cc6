import { createStore, type StoreApi } from 'zustand/vanilla';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { RestApi } from '#lib/sources/http-api/api.ts';
import { definitionsOf } from '#lib/sources/http-api/definition.ts';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import type { RestOutcome } from '#lib/sources/http-api/outcome.ts';
import type { RestConnection } from '#lib/sources/http-api/rest-client.ts';
import { type CallRestTool, restTool } from '#lib/sources/http-api/rest-tool.ts';
import { toolNameOf } from '#lib/sources/mcp/server-config.ts';
import { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { EgressRequest } from '#lib/tools/core/egress.ts';
import type { RefusedTool } from '#lib/tools/core/external-definition.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';
import { apiOf } from '#lib/tools/toolset-names.ts';
import { type ExternalTools, type PinnedOffer, SourcePins } from '../sources/pins.ts';
import { ApiSecrets } from './api-secrets.ts';
import { RestStore, type StoredApi } from './rest-store.ts';

export interface RestApisOptions {
  store: ThreadStore;
  registry: ToolRegistry;
  vault(): Promise<KeyVault>;
  createClient(): RestConnection;
  /** Called when a call has sent a request, or was kept from it. */
  onRequest?(toolCallId: string, request: EgressRequest): void;
}

/** An HTTP API of the person, and what is known of it. */
export interface ShownApi extends StoredApi {
  /** The tools that are not offered. */
  refused: readonly RefusedTool[];
  /** About how many tokens its tools take of each prompt. */
  tokens: number;
  /** The reason why it cannot be called. `missing`: the secrets that are not in this browser. */
  problem:
    | { code: 'locked' | 'secret-gone'; missing: readonly string[] }
    | { code: 'not-offered'; detail: string }
    | undefined;
}

/** The state of an API while the page is open. */
interface LiveApi extends PinnedOffer {
  stored: StoredApi;
  client: RestConnection;
}

/** The person's HTTP APIs, whose tools are offered like those of tool servers. */
export class RestApis {
  readonly state: StoreApi<readonly ShownApi[]> = createStore<readonly ShownApi[]>(() => []);
  readonly #options: RestApisOptions;
  readonly #store: RestStore;
  readonly #secrets: ApiSecrets;
  readonly #live = new Map<string, LiveApi>();
  /** Changes of what is on offer, one at a time. */
  readonly #queue = new SerialQueue();
  readonly pins: ExternalTools;
  #isReading = false;
  #isClosed = false;

  /** Offers the tools of the APIs that are on. A storage that cannot be read counts as empty. */
  static async open(options: RestApisOptions): Promise<RestApis> {
    const apis = new RestApis(options);
    await apis.#read().catch(() => undefined);
    options.store.subscribe((change) => {
      if (change.type === 'settings') apis.#readSoon();
    });
    return apis;
  }

  private constructor(options: RestApisOptions) {
    this.#options = options;
    this.#store = new RestStore(options.store);
    this.#secrets = new ApiSecrets(options.vault);
    this.pins = new SourcePins(this.#store.pins, { sourceOf: apiOf, live: this.#live });
  }

  /** Ends the calls that are under way. */
  close(): void {
    this.#isClosed = true;
    for (const name of this.#live.keys()) this.#end(name);
  }

  /** Creates a connection that reads descriptions of APIs. The caller must end it. */
  reader(): Pick<RestConnection, 'readApi' | 'openDocument' | 'describe' | 'end'> {
    return this.#options.createClient();
  }

  /** Looks again at what is stored, and at which secrets are there. */
  refresh(): Promise<void> {
    return this.#read();
  }

  /** Adds an API. Nothing that another one of its name was allowed is left to it. Rejects with `VaultLocked` or `StorageError`. */
  async add(source: string, api: RestApi, secrets: Readonly<Record<string, string>>): Promise<void> {
    await this.#store.pins.forget(api.name);
    await this.#secrets.delete(api.name);
    await this.#secrets.put(api, secrets);
    const stored = { isOn: true, source, api };
    await this.#store.update((all) =>
      [...all.filter((one) => one.api.name !== api.name), stored].slice(0, REST_LIMITS.apis),
    );
    await this.#read();
  }

  /**
   * Changes an API, which keeps its name. Secrets that are not given keep their values, unless the API has moved to another
   * server. Rejects like `add`.
   */
  async change(source: string, api: RestApi, secrets: Readonly<Record<string, string>>): Promise<void> {
    await this.#secrets.put(api, secrets);
    await this.#store.update((all) =>
      all.map((one) => (one.api.name === api.name ? { isOn: one.isOn, source, api } : one)),
    );
    await this.#read();
  }

  async turn(name: string, isOn: boolean): Promise<void> {
    await this.#store.update((all) => all.map((one) => (one.api.name === name ? { ...one, isOn } : one)));
    await this.#read();
  }

  /** Removes an API, its secrets, and what was allowed of it. */
  async remove(name: string): Promise<void> {
    await this.#store.update((all) => all.filter((one) => one.api.name !== name));
    await this.#store.pins.forget(name);
    await this.#read();
    await this.#secrets.delete(name);
  }

  /** Reads again what is stored; several requests at once are one. */
  #readSoon(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    queueMicrotask(() => {
      this.#isReading = false;
      // The tools stay as they were; the next change of the settings reads the APIs again.
      void this.#read().catch(() => undefined);
    });
  }

  #read(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isClosed) return;
      const apis = await this.#store.apis();
      for (const name of this.#live.keys())
        if (!apis.some(({ api, isOn }) => api.name === name && isOn)) this.#end(name);
      const shown: ShownApi[] = [];
      for (const stored of apis)
        shown.push(stored.isOn ? await this.#offer(stored) : { ...stored, refused: [], tokens: 0, problem: undefined });
      this.state.setState(shown, true);
    });
  }

  #end(name: string): void {
    const live = this.#live.get(name);
    this.#live.delete(name);
    live?.client.end();
    live?.offer.withdraw();
  }

  /** Puts an API's tools in the place of those that it had before. Tools that have not changed stay the same. */
  async #offer(stored: StoredApi): Promise<ShownApi> {
    const { api } = stored;
    const described = await definitionsOf(api);
    const live: LiveApi = this.#live.get(api.name) ?? {
      ...{ stored, client: this.#options.createClient(), pins: {}, offer: new ToolOffer(this.#options.registry) },
    };
    const { tools, refused } = await live.offer.prepare(
      described.tools.map(({ definition }) => definition),
      {
        nameOf: ({ name }) => toolNameOf(api.name, name),
        make: (definition) => restTool(api, definition, this.#caller(api.name)),
      },
    );
    live.pins = await this.#store.pins.of(api.name);
    if (!this.#isClosed) this.#live.set(api.name, live);
    // The known routes to one server say nothing about another one.
    if (live.stored.api.baseUrl !== api.baseUrl) live.client.end();
    // In one go with the tools: a call that comes in between would be made with a description that nobody has allowed.
    live.stored = stored;
    const fault = this.#isClosed ? undefined : live.offer.replace(tools);
    const secrets = await this.#secrets.of(api);
    return {
      ...stored,
      refused: [...described.refused, ...refused],
      tokens: live.offer.tokens,
      problem:
        fault !== undefined
          ? { code: 'not-offered', detail: fault }
          : 'problem' in secrets
            ? { code: secrets.problem, missing: secrets.missing }
            : undefined,
    };
  }

  #caller(name: string): CallRestTool {
    return async (definition, args, { abortSignal, toolCallId }) => {
      const notRun = (reason: string): RestOutcome => ({
        type: 'failure',
        code: 'failed',
        message: `Not run. ${reason}`,
      });
      const live = this.#live.get(name);
      const api = live?.stored.api;
      const tool = api?.tools.find((one) => one.name === definition.name);
      if (live === undefined || api === undefined || tool === undefined)
        return notRun('The API was removed or turned off.');
      if (live.offer.tools.get(definition.name)?.definition.hash !== definition.hash)
        return notRun('This tool has changed since it was offered. Read its description again first.');
      const secrets = await this.#secrets.of(api);
      if ('problem' in secrets)
        return notRun(
          secrets.problem === 'locked'
            ? 'The passphrase of the user’s keys has not been entered.'
            : `These secrets are missing: ${secrets.missing.join(', ')}. The user can enter them under “Settings › Tools › HTTP APIs”.`,
        );
      const { baseUrl, headers } = api;
      const call = { api: { baseUrl, headers }, tool, args, secrets: secrets.values };
      return live.client.call(call, abortSignal, (request) => this.#options.onRequest?.(toolCallId, request));
    };
  }
}
