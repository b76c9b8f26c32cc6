import type { SharedTexts } from '#server/http/shared-texts.ts';
import { type Redis, within } from './redis.ts';

/** The time for which a text is kept after it was last needed, in milliseconds. */
const KEPT_MS = 3_600_000;

/** Matches the names of texts: hashes. */
const NAME = /^[\w-]{20,128}$/;

const keyOf = (name: string): string => `rt:text:${name}`;

/**
 * Keeps texts that browsers have sent, such as catalogues of tools and long contents, in Redis for all processes. Each has its
 * hash as its name. A text is kept for an hour after its last use. It may be lost before, and then a browser is asked for it
 * again. Never rejects.
 */
export class RedisTexts implements SharedTexts {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async add(name: string, text: string): Promise<void> {
    const stored = this.#redis.set(keyOf(name), text, { expiration: { type: 'PX', value: KEPT_MS } });
    await within(stored).catch(() => undefined);
  }

  /** Finds a text by its name; undefined if it is not there or Redis does not reply. */
  async find(name: string): Promise<string | undefined> {
    if (!NAME.test(name)) return undefined;
    const text = await within(this.#redis.getEx(keyOf(name), { type: 'PX', value: KEPT_MS })).catch(() => null);
    return text ?? undefined;
  }
}
