import type { RunRef } from './ownership.ts';
import type { Redis } from './redis.ts';

const CHANNEL = 'rt:stop';

/**
 * Sends hints between processes, by Redis, that a run is to be stopped. A hint may be lost: the process that executes the
 * run also learns of the stop when it renews its lease.
 */
export class StopSignals {
  readonly #redis: Redis;
  readonly #listeners = new Set<(run: RunRef) => void>();

  /** Resolves once hints of other processes arrive. `subscriber`: a connection of its own for subscriptions. */
  static async open(redis: Redis, subscriber: Redis): Promise<StopSignals> {
    const signals = new StopSignals(redis);
    await subscriber.subscribe(CHANNEL, (message) => signals.#receive(message));
    return signals;
  }

  private constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Calls `listener` with each hint, this process's own ones included. */
  onStop(listener: (run: RunRef) => void): void {
    this.#listeners.add(listener);
  }

  /** Sends a hint to all processes. Does not wait until it is sent, and ignores failures. */
  stop({ threadId, fence }: RunRef): void {
    this.#redis.publish(CHANNEL, `${fence}:${threadId}`).catch(() => undefined);
  }

  #receive(message: string): void {
    const at = message.indexOf(':');
    const run = { fence: message.slice(0, at), threadId: message.slice(at + 1) };
    for (const listener of this.#listeners) listener(run);
  }
}
