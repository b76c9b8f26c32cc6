import {
  type ConnectionAnswer,
  type ConnectionRequest,
  connectionAnswerSchema,
  type ListedModel,
  PERSONAL_KEY_HEADER,
} from '#lib/api/connections.ts';
import { send } from '#lib/threads/http-transport.ts';
import { type ConnectedModel, type Connection, purposeOf } from './connection.ts';
import type { Connections } from './connections.ts';

/** What a person connects to. */
export interface ConnectionDraft extends ConnectionRequest {
  preset: string;
  name: string;
  key: string | undefined;
}

/** More models than this are too many to choose from, so none of them is offered until the person picks some. */
export const SHOWN_AT_ONCE = 30;

/** Changes the person's connections. Its code comes with the views that do so. */
export class ConnectionEditor {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Asks the endpoint for its models. Rejects with `ServerProblem` or `ConnectionError`. */
  async test(
    { provider, baseURL }: ConnectionRequest,
    key: string | undefined,
    signal?: AbortSignal,
  ): Promise<ConnectionAnswer> {
    const response = await send('/api/connections', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { [PERSONAL_KEY_HEADER]: key }) },
      body: JSON.stringify({ provider, ...(baseURL !== undefined && { baseURL }) }),
      ...(signal !== undefined && { signal }),
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
    if (key !== undefined) await (await this.#connections.keys()).put(connection.id, purposeOf(connection), key);
    await this.#connections.update((all) => [...all, connection]);
    return connection;
  }

  /** Changes a connection. Its address is not among what can be changed, because its key is for that address. */
  async change(id: string, change: Partial<Pick<Connection, 'name' | 'models'>>): Promise<void> {
    await this.#connections.update((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /** Replaces a connection's key. Rejects with `VaultLocked`. */
  async changeKey(connection: Connection, key: string): Promise<void> {
    await (await this.#connections.keys()).put(connection.id, purposeOf(connection), key);
    await this.#connections.update((all) =>
      all.map((one) => (one.id === connection.id ? { ...one, hasKey: true } : one)),
    );
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

  /** Deletes a connection and its key. */
  async remove(id: string): Promise<void> {
    await this.#connections.update((all) => all.filter((one) => one.id !== id));
    await (await this.#connections.keys()).delete(id);
  }

  /**
   * Adds connections from a backup that are not here. Their keys are not in it. Their models are not offered until the
   * person picks them, because whoever made the backup chose the addresses.
   */
  async restore(connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return;
    await this.#connections.update((all) => [
      ...all,
      ...connections
        .filter(({ id }) => !all.some((one) => one.id === id))
        .map((one) => ({ ...one, models: one.models.map((model) => ({ ...model, isShown: false })) })),
    ]);
  }

  /** Asks for a connection's models again; choices are kept. Rejects like `test`, and like `keyOf`. */
  async refresh(connection: Connection): Promise<void> {
    const { models } = await this.test(connection, await this.#connections.keyOf(connection));
    const before = new Map(connection.models.map((model) => [model.model, model]));
    const merged = models.map((model) => ({
      ...before.get(model.model),
      ...model,
      isShown: isShownBefore(model, before),
    }));
    await this.#connections.update((all) =>
      all.map((one) => (one.id === connection.id ? { ...one, models: merged, checkedAt: Date.now() } : one)),
    );
  }

  /** Opens the vault for this page. Rejects with `WrongPassphrase`. */
  async unlock(passphrase: string): Promise<void> {
    await (await this.#connections.keys()).unlock(passphrase);
    await this.#connections.read();
  }

  /** Puts the keys under a passphrase, or under this browser's own key. Rejects with `VaultLocked`. */
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

/** Models that are new in a long list are not offered by themselves. */
const isShownBefore = ({ model }: ListedModel, before: ReadonlyMap<string, ConnectedModel>): boolean =>
  before.get(model)?.isShown ?? before.size <= SHOWN_AT_ONCE;
