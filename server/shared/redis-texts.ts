import type { SharedTexts } from '#server/http/shared-texts.ts';
import { type Redis, within } from './redis.ts';

/** The time for which a text is kept after it was last needed, in milliseconds. */
const KEPT_MS = 3_600_000;

/**
 * The share of the limit that one process may add before it looks whether all texts together exceed the limit. So they exceed
 * it at most by this share for each process.
 */
const UNCHECKED_SHARE = 1 / 8;

/** The names of all texts, in the order of their last use. Each use has a number from `USES`: clocks of processes may differ. */
const INDEX = 'rt:texts';
const USES = 'rt:texts:uses';

/** Puts a text at the end of the index. Keeps the index for as long as a text. */
const TOUCH = `
redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[2]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

/** The number of texts that are looked at, or removed, at a time. */
const AT_ONCE = 500;

/** The memory that a text takes in Redis besides its bytes, about, in bytes. */
const BYTES_EACH = 400;

/** Matches the names of texts: hashes. */
const NAME = /^[\w-]{20,128}$/;

const keyOf = (name: string): string => `rt:text:${name}`;

/**
 * Keeps texts that browsers have sent, such as catalogues of tools and long contents, in Redis for all processes. Each has its
 * hash as its name. A text is kept for an hour after its last use, as long as there is room; the least recently used ones go
 * first. It may be lost before, and then a browser is asked for it again. Never rejects.
 */
export class RedisTexts implements SharedTexts {
  readonly #redis: Redis;
  readonly #maxBytes: number;
  /** The bytes that this process has added since it last looked. */
  #added = 0;
  #removing: Promise<void> | undefined;

  /** `maxBytes`: the limit for all texts together, as UTF-8. */
  constructor(redis: Redis, maxBytes: number) {
    this.#redis = redis;
    this.#maxBytes = maxBytes;
  }

  async add(name: string, text: string): Promise<void> {
    const size = Buffer.byteLength(text) + BYTES_EACH;
    if (size > this.#maxBytes) return;
    const stored = this.#redis.set(keyOf(name), text, { expiration: { type: 'PX', value: KEPT_MS } });
    // If Redis is away, browsers send the text again.
    await within(Promise.all([stored, this.#touch(name)])).catch(() => undefined);
    this.#added += size;
    if (this.#added > this.#maxBytes * UNCHECKED_SHARE) await this.#makeRoom();
  }

  /** Finds a text by its name; undefined if it is not there or Redis does not reply. */
  async find(name: string): Promise<string | undefined> {
    if (!NAME.test(name)) return undefined;
    const text = await within(this.#redis.getEx(keyOf(name), { type: 'PX', value: KEPT_MS })).catch(() => null);
    if (text === null) return undefined;
    // A text that is not in its place may go early.
    this.#touch(name).catch(() => undefined);
    return text;
  }

  #touch(name: string): Promise<unknown> {
    return this.#redis.eval(TOUCH, { keys: [INDEX, USES], arguments: [name, `${KEPT_MS}`] });
  }

  /** Removes the least recently used texts, until the others fit into the limit. Does so once at a time. */
  #makeRoom(): Promise<void> {
    this.#removing ??= this.#removeOld()
      .then(() => {
        this.#added = 0;
      })
      // If Redis is away, the next text tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#removing = undefined;
      });
    return this.#removing;
  }

  async #removeOld(): Promise<void> {
    let excess = (await within(this.#redis.zCard(INDEX))) - (await this.#countOfLatest());
    while (excess > 0) {
      const old = await within(this.#redis.zRange(INDEX, 0, Math.min(excess, AT_ONCE) - 1));
      if (old.length === 0) return;
      await within(this.#redis.multi().unlink(old.map(keyOf)).zRem(INDEX, old).exec());
      excess -= old.length;
    }
  }

  /** Counts the latest texts that fit into the limit. */
  async #countOfLatest(): Promise<number> {
    let bytes = 0;
    for (let count = 0; ; ) {
      const names = await within(this.#redis.zRange(INDEX, count, count + AT_ONCE - 1, { REV: true }));
      if (names.length === 0) return count;
      const sizes = await within(Promise.all(names.map((name) => this.#redis.strLen(keyOf(name)))));
      for (const size of sizes) {
        bytes += size + BYTES_EACH;
        if (bytes > this.#maxBytes) return count;
        count++;
      }
    }
  }
}
