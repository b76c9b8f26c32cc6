import { defined } from '#lib/base/defined.ts';
import { serverFetch } from '#lib/threads/server-fetch.ts';
import { ServerProblem } from '#lib/threads/transport.ts';
import {
  type ConnectionAnswer,
  type ConnectionRequest,
  connectionAnswerSchema,
  type ListedModel,
  PERSONAL_KEY_HEADER,
  personalKeySchema,
} from '#lib/wire/connections.ts';
import type { ModelRecords } from '../model-records.ts';
import { type ConnectedModel, type Connection, connectionsSchema, purposeOf } from './connection.ts';
import type { Connections } from './connections.ts';

/** A connection to a model provider or server, as the person has entered it and before it is added. */
interface ConnectionDraft extends ConnectionRequest {
  preset: string;
  name: string;
  key: string | undefined;
}

/**
 * The maximum number of models with which a new connection offers all of them right away. If it has more, it offers none
 * until the person picks some.
 */
export const SHOWN_AT_ONCE = 30;

/**
 * Changes the person's connections to model providers and servers. It is apart from `Connections`, so that its code is
 * loaded only when connections are changed.
 */
export class ConnectionEditor {
  readonly #connections: Connections;
  readonly #records: Pick<ModelRecords, 'forget'> | undefined;

  /** `records`: the records of models, which are deleted with their connection. */
  constructor(connections: Connections, records?: Pick<ModelRecords, 'forget'>) {
    this.#connections = connections;
    this.#records = records;
  }

  /** Asks a provider or server for its models. Stores nothing. Rejects with `ServerProblem` or `ConnectionError`. */
  async test(
    { provider, baseURL }: ConnectionRequest,
    key: string | undefined,
    signal?: AbortSignal,
  ): Promise<ConnectionAnswer> {
    // Other characters cannot be sent in a header.
    if (key !== undefined && !personalKeySchema.safeParse(key).success)
      throw new ServerProblem(400, 'invalid-key', 'The key contains characters that no key has.');
    const response = await serverFetch('/api/connections', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...defined({ [PERSONAL_KEY_HEADER]: key }) },
      body: JSON.stringify({ provider, ...defined({ baseURL }) }),
      ...defined({ signal }),
    });
    return connectionAnswerSchema.parse(await response.json());
  }

  /**
   * Adds a connection for which `test` has resolved with `answer`. If there is one with the same provider and address, and
   * without another key, updates its models instead, and stores the key if it has none. If the keys are locked, rejects with
   * `VaultLocked`, or with `ServerProblem` `keys-locked`, and adds nothing.
   */
  async connect(draft: ConnectionDraft, answer: ConnectionAnswer): Promise<{ connection: Connection; isNew: boolean }> {
    const { baseURL } = answer;
    for (const one of this.#connections.state.getState().connections) {
      if (one.provider !== draft.provider || one.baseURL !== baseURL) continue;
      const key = await this.#usableKey(one);
      if (draft.key !== undefined && key !== undefined && key !== draft.key) continue;
      if (draft.key !== undefined && key === undefined) await this.changeKey(one, draft.key);
      await this.#updateModels(
        one,
        answer.models,
        one.models.some(({ isShown }) => isShown),
      );
      return { connection: one, isNew: false };
    }
    return { connection: await this.add(draft, answer), isNew: true };
  }

  /** A connection's key; undefined if it has none, or if the key is gone. Rejects if the keys are locked. */
  async #usableKey(connection: Connection): Promise<string | undefined> {
    try {
      return await this.#connections.keyOf(connection);
    } catch (error) {
      if (error instanceof ServerProblem && error.code === 'key-needed') return undefined;
      throw error;
    }
  }

  /** Adds a connection after a `test`, even if there is one like it. Rejects with `VaultLocked`, and then adds nothing. */
  async add(
    { preset, provider, name, key }: ConnectionDraft,
    { baseURL, models }: ConnectionAnswer,
  ): Promise<Connection> {
    const isShown = models.length <= SHOWN_AT_ONCE;
    const taken = new Set(this.#connections.state.getState().connections.map((one) => one.name));
    const connection: Connection = {
      id: `personal-${crypto.randomUUID().slice(0, 8)}`,
      preset,
      provider,
      hasKey: key !== undefined,
      name: freeName(name, taken),
      ...defined({ baseURL }),
      models: models.map((model) => ({ ...model, isShown })),
      checkedAt: Date.now(),
    };
    const vault = key === undefined ? undefined : await this.#connections.keys();
    if (key !== undefined) await vault?.put(connection.id, purposeOf(connection), key);
    try {
      await this.#connections.update((all) => [...all, connection]);
    } catch (error) {
      await vault?.delete(connection.id);
      throw error;
    }
    return connection;
  }

  /** Changes a connection. Its address is not among what can be changed, because its key is for that address. */
  async change(id: string, change: Partial<Pick<Connection, 'name' | 'models'>>): Promise<void> {
    await this.#connections.update((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /**
   * Replaces a connection's key. If the connection has been deleted meanwhile, deletes the key again. Rejects with
   * `VaultLocked`.
   */
  async changeKey({ id, ...connection }: Connection, key: string): Promise<void> {
    const vault = await this.#connections.keys();
    await vault.put(id, purposeOf(connection), key);
    let isThere = false;
    await this.#connections.update((all) => {
      isThere = all.some((one) => one.id === id);
      return all.map((one) => (one.id === id ? { ...one, hasKey: true } : one));
    });
    if (!isThere) await vault.delete(id);
  }

  /** Moves a connection up or down in the list. */
  async move(id: string, by: -1 | 1): Promise<void> {
    await this.#connections.update((all) => {
      const from = all.findIndex((one) => one.id === id);
      const to = from + by;
      if (from === -1 || to < 0 || to >= all.length) return all;
      const next = [...all];
      next.splice(to, 0, ...next.splice(from, 1));
      return next;
    });
  }

  /** Deletes a connection, its key, and what is known of its models. */
  async remove(id: string): Promise<void> {
    let hasKey = false;
    await this.#connections.update((all) => {
      hasKey = all.some((one) => one.id === id && one.hasKey);
      return all.filter((one) => one.id !== id);
    });
    await this.#records?.forget(id);
    if (hasKey) await (await this.#connections.keys()).delete(id);
  }

  /**
   * Adds connections from a backup that are not here. Their keys are not in it. Their models are not offered until the
   * person picks them, because whoever made the backup chose the addresses. Resolves with how many were added.
   */
  async restore(connections: readonly Connection[]): Promise<number> {
    let added = 0;
    if (connections.length === 0) return added;
    await this.#connections.update((all) => {
      const missing = connectionsSchema.parse(connections).filter(({ id }) => !all.some((one) => one.id === id));
      added = missing.length;
      const hidden = missing.map((one) => ({
        ...one,
        models: one.models.map((model) => ({ ...model, isShown: false, ...(model.isShown && { wasShown: true }) })),
      }));
      return [...all, ...hidden];
    });
    return added;
  }

  /** Offers those models of a restored connection that were on offer when its backup was made. */
  async selectRestored(id: string): Promise<void> {
    await this.#connections.update((all) =>
      all.map((one) =>
        one.id === id
          ? { ...one, models: one.models.map(({ wasShown = false, ...model }) => ({ ...model, isShown: wasShown })) }
          : one,
      ),
    );
  }

  /**
   * Asks for a connection's models again, and stores them; the person's choices are kept. Rejects like `test`, and like
   * `keyOf`.
   */
  async refresh(connection: Connection): Promise<void> {
    const { models } = await this.test(connection, await this.#connections.keyOf(connection));
    await this.#updateModels(connection, models);
  }

  /**
   * Stores the models that an endpoint has listed. `keepsChoice`: whether the choice of the models on offer is kept (see
   * `isShownBefore`); otherwise all are on offer, or none if there are more than `SHOWN_AT_ONCE`.
   */
  async #updateModels({ id }: Connection, models: readonly ListedModel[], keepsChoice = true): Promise<void> {
    const merged = (stored: readonly ConnectedModel[]): ConnectedModel[] => {
      const before = new Map(stored.map((model) => [model.model, model]));
      return models.map((model) => ({
        ...before.get(model.model),
        ...model,
        isShown: keepsChoice ? isShownBefore(model, before) : models.length <= SHOWN_AT_ONCE,
      }));
    };
    // Choices that were made after the endpoint was asked count.
    await this.#connections.update((all) =>
      all.map((one) => (one.id === id ? { ...one, models: merged(one.models), checkedAt: Date.now() } : one)),
    );
  }

  /** Opens the vault for this page. Resolves with false if the passphrase is wrong. */
  async unlock(passphrase: string): Promise<boolean> {
    const [vault, { WrongPassphrase }] = await Promise.all([
      this.#connections.keys(),
      import('#lib/keys/key-vault.ts'),
    ]);
    try {
      await vault.unlock(passphrase);
    } catch (error) {
      if (error instanceof WrongPassphrase) return false;
      throw error;
    }
    await this.#connections.read();
    return true;
  }

  /** Protects the keys with a passphrase or, if it is undefined, with this browser's own key. Rejects with `VaultLocked`. */
  async protect(passphrase: string | undefined): Promise<void> {
    await (await this.#connections.keys()).protect(passphrase);
    await this.#announce();
  }

  /** Deletes all keys and the passphrase. The connections stay, and need their keys again. */
  async forgetKeys(): Promise<void> {
    await (await this.#connections.keys()).clear();
    await this.#announce();
  }

  /** Lets other tabs see that the keys are protected in another way. */
  #announce(): Promise<void> {
    return this.#connections.update((all) => all);
  }
}

/** Returns the name, with a number behind it if it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(free)) return free;
  }
}

/** Checks whether a model is on offer: as before or, if it is new, unless the list was long or none of it was on offer. */
const isShownBefore = ({ model }: ListedModel, before: ReadonlyMap<string, ConnectedModel>): boolean =>
  before.get(model)?.isShown ?? (before.size <= SHOWN_AT_ONCE && [...before.values()].some(({ isShown }) => isShown));
