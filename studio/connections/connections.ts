import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type ConnectionAnswer,
  type ConnectionRequest,
  connectionAnswerSchema,
  type ListedModel,
  PERSONAL_KEY_HEADER,
} from '#lib/api/connections.ts';
import type { ModelConfig } from '#lib/api/model-config.ts';
import type { KeyVault, VaultProtection } from '#lib/keys/key-vault.ts';
import { send } from '#lib/threads/http-transport.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { ServerProblem } from '#lib/threads/transport.ts';
import { type ConnectedModel, type Connection, connectionsSchema, personalModelId, purposeOf } from './connection.ts';

export interface ConnectionsState {
  /** Undefined until they have been read. */
  connections: readonly Connection[];
  protection: VaultProtection;
  /** Whether the passphrase must be entered before keys can be used. */
  isLocked: boolean;
}

/** A model of a connection as a request names it, and the key that goes with it. */
export interface PersonalModel {
  personal: ModelConfig;
  key: string | undefined;
}

/** What a person connects to. */
export interface ConnectionDraft extends ConnectionRequest {
  preset: string;
  name: string;
  key: string | undefined;
}

const SETTING = 'connections';
const LOCK = 'roundtrip-connections';

/** More models than this are too many to choose from, so none of them is offered until the person picks some. */
export const SHOWN_AT_ONCE = 30;

/**
 * The person's connections to providers and servers. They are stored with the settings; their keys are in the vault, and
 * leave it only with a request to the studio's own server.
 */
export class Connections {
  readonly state: StoreApi<ConnectionsState>;
  readonly #store: ThreadStore;
  readonly #openVault: () => Promise<KeyVault>;
  #vault: Promise<KeyVault> | undefined;

  static async open(store: ThreadStore, openVault: () => Promise<KeyVault>): Promise<Connections> {
    const connections = new Connections(store, openVault);
    await connections.#read();
    store.subscribe((change) => {
      if (change.type === 'settings') connections.#read().catch(() => undefined);
    });
    return connections;
  }

  private constructor(store: ThreadStore, openVault: () => Promise<KeyVault>) {
    this.#store = store;
    this.#openVault = openVault;
    this.state = createStore<ConnectionsState>(() => ({ connections: [], protection: 'browser', isLocked: false }));
  }

  /** Asks the endpoint for its models. Rejects with `ServerProblem` or `ConnectionError`. */
  async test({ provider, baseURL }: ConnectionRequest, key: string | undefined): Promise<ConnectionAnswer> {
    const response = await send('/api/connections', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { [PERSONAL_KEY_HEADER]: key }) },
      body: JSON.stringify({ provider, ...(baseURL !== undefined && { baseURL }) }),
    });
    return connectionAnswerSchema.parse(await response.json());
  }

  /** Adds a connection that was tested. Rejects with `VaultLocked`, and then adds nothing. */
  async add(
    { preset, provider, name, key }: ConnectionDraft,
    { baseURL, models }: ConnectionAnswer,
  ): Promise<Connection> {
    const isShown = models.length <= SHOWN_AT_ONCE;
    const connection: Connection = {
      ...{ id: `personal-${crypto.randomUUID().slice(0, 8)}`, preset, provider, name, hasKey: key !== undefined },
      ...(baseURL !== undefined && { baseURL }),
      models: models.map((model) => ({ ...model, isShown })),
      checkedAt: Date.now(),
    };
    if (key !== undefined) await (await this.#keys()).put(connection.id, purposeOf(connection), key);
    await this.#update((all) => [...all, connection]);
    return connection;
  }

  /** Changes a connection. Its address is not among what can be changed, because its key is for that address. */
  async change(id: string, change: Partial<Pick<Connection, 'name' | 'models'>>): Promise<void> {
    await this.#update((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /** Changes what is chosen for one model. */
  async changeModel(id: string, model: string, change: Partial<Pick<ConnectedModel, 'isShown' | 'choices'>>) {
    await this.#update((all) =>
      all.map((one) =>
        one.id === id
          ? { ...one, models: one.models.map((entry) => (entry.model === model ? { ...entry, ...change } : entry)) }
          : one,
      ),
    );
  }

  /** Replaces a connection's key. Rejects with `VaultLocked`. */
  async changeKey(connection: Connection, key: string): Promise<void> {
    await (await this.#keys()).put(connection.id, purposeOf(connection), key);
    await this.#update((all) => all.map((one) => (one.id === connection.id ? { ...one, hasKey: true } : one)));
  }

  /** Moves a connection up or down in the list. */
  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#update((all) => {
      const from = all.findIndex((one) => one.id === id);
      const to = from + by;
      if (from === -1 || to < 0 || to >= all.length) return all;
      const next = [...all];
      next.splice(to, 0, ...next.splice(from, 1));
      return next;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#update((all) => all.filter((one) => one.id !== id));
    await (await this.#keys()).delete(id);
  }

  /**
   * Adds connections from a backup that are not here. Their keys are not in it. Their models are not offered until the
   * person picks them, because whoever made the backup chose the addresses.
   */
  async restore(connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return;
    await this.#update((all) => [
      ...all,
      ...connections
        .filter(({ id }) => !all.some((one) => one.id === id))
        .map((one) => ({ ...one, models: one.models.map((model) => ({ ...model, isShown: false })) })),
    ]);
  }

  /** Asks for a connection's models again; choices are kept. Rejects like `test`, and like `keyOf`. */
  async refresh(connection: Connection): Promise<void> {
    const { models } = await this.test(connection, await this.keyOf(connection));
    const before = new Map(connection.models.map((model) => [model.model, model]));
    const merged = models.map((model) => ({
      ...before.get(model.model),
      ...model,
      isShown: isShownBefore(model, before),
    }));
    await this.#update((all) =>
      all.map((one) => (one.id === connection.id ? { ...one, models: merged, checkedAt: Date.now() } : one)),
    );
  }

  /** A connection's key. Rejects with `ServerProblem` `keys-locked` or `key-needed`. */
  async keyOf(connection: Connection): Promise<string | undefined> {
    if (!connection.hasKey) return undefined;
    const vault = await this.#keys();
    if (await vault.isLocked()) throw new ServerProblem(400, 'keys-locked', 'Enter the passphrase of your keys first.');
    const key = await vault.get(connection.id, purposeOf(connection));
    if (key === undefined) throw new ServerProblem(400, 'key-needed', `The key for “${connection.name}” is not here.`);
    return key;
  }

  /** A model on offer by its id in the studio; undefined if it is none of a connection. Rejects like `keyOf`. */
  async modelOf(id: string): Promise<PersonalModel | undefined> {
    for (const connection of this.state.getState().connections) {
      const found = connection.models.find(
        ({ model, isShown }) => isShown && personalModelId(connection, model) === id,
      );
      if (found !== undefined) return { personal: configOf(connection, found), key: await this.keyOf(connection) };
    }
    return undefined;
  }

  /** A model without its key, for what needs none. */
  configOf(id: string): ModelConfig | undefined {
    for (const connection of this.state.getState().connections)
      for (const model of connection.models)
        if (personalModelId(connection, model.model) === id) return configOf(connection, model);
    return undefined;
  }

  /** Opens the vault for this page. Rejects with `WrongPassphrase`. */
  async unlock(passphrase: string): Promise<void> {
    await (await this.#keys()).unlock(passphrase);
    await this.#read();
  }

  /** Puts the keys under a passphrase, or under this browser's own key. Rejects with `VaultLocked`. */
  async protect(passphrase: string | undefined): Promise<void> {
    await (await this.#keys()).protect(passphrase);
    await this.#read();
  }

  /** Deletes all keys and the passphrase. The connections stay, and need their keys again. */
  async forgetKeys(): Promise<void> {
    await (await this.#keys()).clear();
    await this.#read();
  }

  #keys(): Promise<KeyVault> {
    this.#vault ??= this.#openVault();
    return this.#vault;
  }

  async #read(): Promise<void> {
    const stored = connectionsSchema.safeParse(await this.#store.setting(SETTING));
    const connections = stored.data ?? [];
    // The vault is opened only where there are keys.
    const vault = connections.some(({ hasKey }) => hasKey) ? await this.#keys() : await this.#vault;
    const [protection, isLocked] = vault === undefined ? [] : await Promise.all([vault.protection(), vault.isLocked()]);
    this.state.setState({ connections, protection: protection ?? 'browser', isLocked: isLocked ?? false });
  }

  /** Changes the stored list, one tab at a time. */
  async #update(change: (all: readonly Connection[]) => readonly Connection[]): Promise<void> {
    await navigator.locks.request(LOCK, async () => {
      const stored = connectionsSchema.safeParse(await this.#store.setting(SETTING));
      await this.#store.putSetting(SETTING, change(stored.data ?? []));
    });
    await this.#read();
  }
}

/** Models that are new in a long list are not offered by themselves. */
const isShownBefore = ({ model }: ListedModel, before: ReadonlyMap<string, ConnectedModel>): boolean =>
  before.get(model)?.isShown ?? before.size <= SHOWN_AT_ONCE;

function configOf(
  { provider, baseURL }: Connection,
  { model, name, contextSize, nativeTools, vision, choices }: ConnectedModel,
): ModelConfig {
  return {
    ...{ provider, model, toolCalling: nativeTools === false ? 'prompted' : 'auto' },
    ...(baseURL !== undefined && { baseURL }),
    ...(name !== undefined && { name }),
    ...(contextSize !== undefined && contextSize >= 512 && { contextSize }),
    ...(vision !== undefined && { vision }),
    ...choices,
  };
}
