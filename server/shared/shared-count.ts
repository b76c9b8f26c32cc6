import { randomUUID } from 'node:crypto';
import type { OpenCount } from '#server/http/open-count.ts';
import { type Redis, within } from './redis.ts';

/** The time after which what a process has counted no longer counts, if the process has ended, in milliseconds. */
const LEASE_MS = 15_000;

/** The interval at which a process renews what it has counted, in milliseconds. */
const RENEW_MS = 5_000;

/** Counts one more if there is room, by Redis's clock. Returns 1 if there was, or else 0. */
const ENTER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

/** Renews the ids after the first argument. */
const RENEW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
`;

/**
 * Counts what is open at a time in all processes, such as requests, up to a limit. While Redis is away, the limit holds for
 * each process by itself.
 */
export class SharedCount implements OpenCount {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #max: number;
  readonly #ids = new Set<string>();
  #renewing: NodeJS.Timeout | undefined;

  /** `name`: the name of what is counted, in Redis. */
  constructor(redis: Redis, name: string, max: number) {
    this.#redis = redis;
    this.#key = `rt:open:${name}`;
    this.#max = max;
  }

  async enter(): Promise<(() => void) | undefined> {
    if (this.#ids.size >= this.#max) return undefined;
    const id = randomUUID();
    this.#ids.add(id);
    const entering = this.#redis.eval(ENTER, { keys: [this.#key], arguments: [id, `${this.#max}`, `${LEASE_MS}`] });
    if ((await within(entering).catch(() => 1)) === 0) {
      // It may have been renewed meanwhile.
      this.#leave(id);
      return undefined;
    }
    this.#renewing ??= setInterval(() => this.#renew(), RENEW_MS).unref();
    return () => this.#leave(id);
  }

  #leave(id: string): void {
    if (!this.#ids.delete(id)) return;
    // If Redis is away, its lease ends.
    this.#redis.zRem(this.#key, id).catch(() => undefined);
    if (this.#ids.size > 0) return;
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #renew(): void {
    this.#redis.eval(RENEW, { keys: [this.#key], arguments: [`${LEASE_MS}`, ...this.#ids] }).catch(() => undefined);
  }
}
