import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import type { KeyVault, VaultProtection } from '#lib/keys/key-vault.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { ServerProblem } from '#lib/threads/transport.ts';
import type { ModelConfig } from '#lib/wire/model-config.ts';
import {
  type ConnectedModel,
  type Connection,
  connectionSchema,
  connectionsSchema,
  learnedToolCalling,
  personalModelId,
  purposeOf,
} from './connection.ts';

export interface ConnectionsState {
  /** Empty until they have been read. */
  connections: readonly Connection[];
  protection: VaultProtection;
  /** Whether the passphrase must be entered before keys can be used. */
  isLocked: boolean;
}

/** The configuration of a connection's model, as a request contains it, and the key that goes with it. */
export interface PersonalModel {
  personal: ModelConfig;
  /** Undefined if no key was saved for the connection. */
  key: string | undefined;
}

const SETTING = 'connections';
const LOCK = 'roundtrip-connections';

/**
 * The person's connections to providers and servers. They are stored with the settings; their keys are in the vault, and
 * leave it only with a request to the studio's own server.
 */
export class Connections {
  readonly state: StoreApi<ConnectionsState>;
  readonly #store: ThreadStore;
  readonly #openVault: () => Promise<KeyVault>;
  #vault: Promise<KeyVault> | undefined;
  /** The stored list as it was last read, as JSON. */
  #listed = '';

  /**
   * Reads the stored connections, and follows their changes. `openVault`: opens the vault with their keys; not called as long
   * as there is no key.
   */
  static async open(store: ThreadStore, openVault: () => Promise<KeyVault>): Promise<Connections> {
    const connections = new Connections(store, openVault);
    // Opening the vault can wait: whoever needs a key opens it.
    await connections.#readList();
    connections.#readProtection().catch(() => undefined);
    store.subscribe((change) => {
      // The list stays as it was read last; the next change reads it again.
      if (change.type === 'settings') connections.read().catch(() => undefined);
    });
    return connections;
  }

  private constructor(store: ThreadStore, openVault: () => Promise<KeyVault>) {
    this.#store = store;
    this.#openVault = openVault;
    this.state = createStore<ConnectionsState>(() => ({ connections: [], protection: 'browser', isLocked: false }));
  }

  /**
   * Changes whether a model of a connection is on offer, or whether it counts as refusing native tools. `id`: that of the
   * connection. `model`: the name of the model at the provider or server.
   */
  async changeModel(id: string, model: string, change: Partial<Pick<ConnectedModel, 'isShown' | 'hasRefusedTools'>>) {
    await this.update((all) =>
      all.map((one) =>
        one.id === id
          ? { ...one, models: one.models.map((entry) => (entry.model === model ? { ...entry, ...change } : entry)) }
          : one,
      ),
    );
  }

  /**
   * Remembers whether a model refused native tools, by its id in the studio; does nothing for models of the studio's own
   * server.
   */
  async learn(id: string, hasRefusedTools: boolean): Promise<void> {
    for (const connection of this.state.getState().connections)
      for (const { model, ...known } of connection.models)
        if (personalModelId(connection, model) === id && (known.hasRefusedTools ?? false) !== hasRefusedTools)
          await this.changeModel(connection.id, model, { hasRefusedTools });
  }

  /**
   * Returns a connection's key; undefined if none was saved for it. Rejects with `ServerProblem` `keys-locked` or `key-needed`.
   */
  async keyOf(connection: Connection): Promise<string | undefined> {
    if (!connection.hasKey) return undefined;
    const vault = await this.keys();
    if (await vault.isLocked()) throw new ServerProblem(400, 'keys-locked', 'Enter the passphrase of your keys first.');
    const key = await vault.get(connection.id, purposeOf(connection));
    if (key === undefined)
      throw new ServerProblem(400, 'key-needed', `The key of “${connection.name}” isn’t in this browser.`);
    return key;
  }

  /**
   * Returns a model of a connection, with its key, by its id in the studio; undefined if no connection offers it. Rejects like
   * `keyOf`.
   */
  async modelOf(id: string): Promise<PersonalModel | undefined> {
    for (const connection of this.state.getState().connections) {
      const found = connection.models.find(
        ({ model, isShown }) => isShown && personalModelId(connection, model) === id,
      );
      if (found !== undefined) return { personal: configOf(connection, found), key: await this.keyOf(connection) };
    }
    return undefined;
  }

  /** Returns a model of a connection without its key, also if it is not on offer; undefined if no connection has it. */
  configOf(id: string): ModelConfig | undefined {
    for (const connection of this.state.getState().connections)
      for (const model of connection.models)
        if (personalModelId(connection, model.model) === id) return configOf(connection, model);
    return undefined;
  }

  /** The vault, opened when it is first needed. */
  keys(): Promise<KeyVault> {
    this.#vault ??= this.#openVault().catch((error: unknown) => {
      // The next use tries again.
      this.#vault = undefined;
      throw error;
    });
    return this.#vault;
  }

  /** Reads the stored connections, and how their keys are protected. */
  async read(): Promise<void> {
    await this.#readList();
    await this.#readProtection();
  }

  async #readList(): Promise<void> {
    const text = JSON.stringify((await this.#store.setting(SETTING)) ?? []);
    // Every change of any setting is announced, and a list may have thousands of models.
    if (text === this.#listed) return;
    this.#listed = text;
    this.state.setState({ connections: connectionsSchema.safeParse(JSON.parse(text)).data ?? [] });
  }

  async #readProtection(): Promise<void> {
    const { connections } = this.state.getState();
    // The vault is opened only where there are keys.
    const vault = connections.some(({ hasKey }) => hasKey) ? await this.keys() : await this.#vault;
    const [protection, isLocked] = vault === undefined ? [] : await Promise.all([vault.protection(), vault.isLocked()]);
    this.state.setState({ protection: protection ?? 'browser', isLocked: isLocked ?? false });
  }

  /**
   * Changes the stored list, one tab at a time. Entries that cannot be read, such as those of another version, stay. Rejects,
   * and changes nothing, if the stored value is no list.
   */
  async update(change: (all: readonly Connection[]) => readonly Connection[]): Promise<void> {
    await navigator.locks.request(LOCK, async () => {
      const stored = z.array(z.unknown()).parse((await this.#store.setting(SETTING)) ?? []);
      const unreadable = stored.filter((one) => !connectionSchema.safeParse(one).success);
      await this.#store.putSetting(SETTING, [...change(connectionsSchema.parse(stored)), ...unreadable]);
    });
    await this.read();
  }
}

function configOf({ provider, baseURL }: Connection, entry: ConnectedModel): ModelConfig {
  const { model, name, contextSize, vision } = entry;
  return {
    provider,
    model,
    toolCalling: learnedToolCalling(entry) ?? 'auto',
    ...defined({ baseURL }),
    ...(name !== undefined && name !== '' && { name }),
    ...(contextSize !== undefined && contextSize >= 512 && { contextSize: Math.floor(contextSize) }),
    ...defined({ vision }),
  };
}
