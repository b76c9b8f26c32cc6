import { createHash } from 'node:crypto';
import { type Redis, within } from './redis.ts';

const CHANNEL = 'rt:refusals:changes';
const KEY = 'rt:refusals';

/** The time for which Redis keeps refusals after the last one was added, in milliseconds: models are updated. */
const KEPT_MS = 86_400_000;

/** Names in Redis are hashes, because an address may have a password. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Keeps which models refused native tools, for all processes: those of `ModelRegistry`. Each process has all of them in memory,
 * and reads them again when its connection to Redis is back. A refusal that Redis has lost is found out again.
 */
export class SharedRefusals {
  readonly #redis: Redis;
  readonly #names = new Set<string>();

  /** Resolves once changes of other processes arrive. `subscriber`: a connection of its own for subscriptions. */
  static async open(redis: Redis, subscriber: Redis): Promise<SharedRefusals> {
    const refusals = new SharedRefusals(redis);
    await subscriber.subscribe(CHANNEL, (message) => refusals.#receive(message));
    await refusals.#read();
    subscriber.on('ready', () => void refusals.#read().catch(() => undefined));
    return refusals;
  }

  private constructor(redis: Redis) {
    this.#redis = redis;
  }

  has(key: string): boolean {
    return this.#names.has(nameOf(key));
  }

  add(key: string): void {
    const name = nameOf(key);
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const stored = this.#redis.multi().sAdd(KEY, name).pExpire(KEY, KEPT_MS).publish(CHANNEL, `+${name}`).exec();
    stored.catch(() => undefined);
  }

  delete(key: string): void {
    const name = nameOf(key);
    this.#names.delete(name);
    const stored = this.#redis.multi().sRem(KEY, name).publish(CHANNEL, `-${name}`).exec();
    stored.catch(() => undefined);
  }

  async #read(): Promise<void> {
    const names = await within(this.#redis.sMembers(KEY));
    this.#names.clear();
    for (const name of names) this.#names.add(name);
  }

  #receive(message: string): void {
    const name = message.slice(1);
    if (message.startsWith('+')) this.#names.add(name);
    else this.#names.delete(name);
  }
}
