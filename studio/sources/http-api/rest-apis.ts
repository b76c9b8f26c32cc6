import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { RestApi } from '#lib/sources/http-api/api.ts';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { offeredApiTools } from '#lib/sources/http-api/offered-tools.ts';
import type { RestOutcome } from '#lib/sources/http-api/outcome.ts';
import type { RestConnection } from '#lib/sources/http-api/rest-client.ts';
import type { CallRestTool } from '#lib/sources/http-api/rest-tool.ts';
import type { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { HTTP_API } from '#lib/tools/toolset-names.ts';
import type { PinnedSource } from '../pins.ts';
import { type ReadSources, StoredSources } from '../stored-sources.ts';
import { ApiSecrets } from './api-secrets.ts';
import { RestStore, type StoredApi } from './rest-store.ts';

interface RestApisOptions {
  store: ThreadStore;
  registry: ToolRegistry;
  vault(): Promise<KeyVault>;
  createClient(): RestConnection;
  /** Called when a call has sent a request, or was kept from it. */
  onRequest?(toolCallId: string, request: EgressRequest): void;
}

/** An HTTP API of the person, with its state for views. */
export interface ShownApi extends StoredApi {
  /** The tools of the API that cannot be offered, with the reasons. */
  refused: readonly RefusedTool[];
  /** The approximate number of tokens that the API's tools take of each prompt. */
  tokens: number;
  /**
   * The reason why the API cannot be called; undefined if it can. `locked`: the passphrase of the vault is missing. `missing`:
   * the secrets that are not in this browser. `not-offered`: its tools cannot be offered together.
   */
  problem:
    | { code: 'locked' | 'secret-gone'; missing: readonly string[] }
    | { code: 'not-offered'; detail: string }
    | undefined;
}

/** The state of an API while the page is open. */
interface UsedApi extends PinnedSource {
  stored: StoredApi;
  client: RestConnection;
}

/** The person's HTTP APIs, whose operations are offered to models as tools. */
export class RestApis extends StoredSources<ShownApi, UsedApi> {
  readonly #options: RestApisOptions;
  readonly #store: RestStore;
  readonly #secrets: ApiSecrets;

  /** Opens the stored APIs, and offers the tools of those that are on. */
  static async open(options: RestApisOptions): Promise<RestApis> {
    const apis = new RestApis(options, new RestStore(options.store));
    await apis.start();
    return apis;
  }

  private constructor(options: RestApisOptions, store: RestStore) {
    super({ ...options, pins: store.pins, kind: HTTP_API, end: ({ client }) => client.end() });
    this.#options = options;
    this.#store = store;
    this.#secrets = new ApiSecrets(options.vault);
  }

  /** Creates a connection that reads descriptions of APIs. The caller must end it. */
  reader(): Pick<RestConnection, 'readApi' | 'openDocument' | 'describe' | 'end'> {
    return this.#options.createClient();
  }

  /** Reads again which APIs are stored, and which of their secrets are in this browser. */
  refresh(): Promise<void> {
    return this.read();
  }

  /**
   * Adds an API in place of one with the same name, whose secrets and permissions are deleted. `source`: its description as the
   * person has written it; `api`: the same, parsed. `secrets`: the values of its secrets, by name. Rejects with `VaultLocked`
   * or `StorageError`.
   */
  async add(source: string, api: RestApi, secrets: Readonly<Record<string, string>>): Promise<void> {
    await this.#store.pins.forget(api.name);
    await this.#secrets.delete(api.name);
    await this.#secrets.put(api, secrets);
    const stored = { isOn: true, source, api };
    await this.#store.update((all) =>
      [...all.filter((one) => one.api.name !== api.name), stored].slice(0, REST_LIMITS.apis),
    );
    await this.read();
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
    await this.read();
  }

  protected override nameOf = ({ api }: ShownApi): string => api.name;
  protected override isOn = ({ isOn }: ShownApi): boolean => isOn;
  protected override isSame = (): boolean => true;

  protected override begin(stored: ShownApi, offer: ToolOffer): UsedApi {
    return { stored, offer, client: this.#options.createClient(), pins: {} };
  }

  protected override async stored(): Promise<ReadSources<ShownApi>> {
    const apis = await this.#store.apis();
    return {
      shown: (latest) =>
        apis.map((stored) => {
          const before = stored.isOn ? latest.get(stored.api.name) : undefined;
          return { ...(before ?? { refused: [], tokens: 0, problem: undefined }), ...stored };
        }),
    };
  }

  protected override storeTurn(name: string, isOn: boolean): Promise<void> {
    return this.#store.update((all) => all.map((one) => (one.api.name === name ? { ...one, isOn } : one)));
  }

  protected override async storeRemoval(name: string): Promise<void> {
    await this.#store.update((all) => all.filter((one) => one.api.name !== name));
    await this.#store.pins.forget(name);
  }

  protected override deleteSecrets(name: string): Promise<void> {
    return this.#secrets.delete(name);
  }

  protected override async offer({ isOn, source, api }: ShownApi, used: UsedApi): Promise<void> {
    const offered = await this.list.offer(
      api.name,
      used,
      () => offeredApiTools(used.offer, api, this.#caller(api.name)),
      () => {
        // The known routes to one server say nothing about another one.
        if (used.stored.api.baseUrl !== api.baseUrl) used.client.end();
        used.stored = { isOn, source, api };
      },
    );
    if (offered === undefined) return;
    const { refused, tokens, problem: detail } = offered;
    const secrets = await this.#secrets.of(api);
    const lacking: ShownApi['problem'] =
      'problem' in secrets ? { code: secrets.problem, missing: secrets.missing } : undefined;
    this.show(api.name, {
      refused,
      tokens,
      problem: detail === undefined ? lacking : { code: 'not-offered', detail },
    });
  }

  #caller(name: string): CallRestTool {
    return async (definition, args, { abortSignal, toolCallId }) => {
      const notRun = (reason: string): RestOutcome => ({
        type: 'failure',
        code: 'failed',
        message: `Not run. ${reason}`,
      });
      const used = this.list.get(name);
      const api = used?.stored.api;
      const tool = api?.tools.find((one) => one.name === definition.name);
      if (used === undefined || api === undefined || tool === undefined)
        return notRun('The API was removed or turned off.');
      if (used.offer.tools.get(definition.name)?.definition.hash !== definition.hash)
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
      return used.client.call(call, abortSignal, (request) => this.#options.onRequest?.(toolCallId, request));
    };
  }
}
