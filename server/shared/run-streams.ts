import { MultiErrorReply } from '@redis/client';
import type { RunRef } from './ownership.ts';
import { type Redis, within } from './redis.ts';

/** A chunk of a run in JSON, with its number. */
export interface NumberedChunk {
  number: number;
  data: string;
}

/** The largest number of chunks that are read at once. */
const READ_MAX = 1_000;

/** The number of the entry that ends a stream, which is larger than that of any chunk. */
const END_NUMBER = 999_999_999_999;

const keyOf = ({ threadId, fence }: RunRef): string => `rt:run:${threadId}:${fence}`;

/**
 * Stores the chunks of runs in Redis, for readers in other processes: one stream for each attempt of a run (`RunRef`). An
 * entry's id is the number of its chunk plus one, so that appending a chunk again changes nothing, and a reader can begin at
 * any chunk. Rejects with Redis's errors.
 */
export class RunStreams {
  readonly #redis: Redis;
  readonly #subscriber: Redis;
  readonly #retentionMs: number;

  /**
   * `subscriber`: a connection of its own, because Redis allows only subscriptions on it. `retentionMs`: the time for which a
   * stream is kept after its last chunk, in milliseconds.
   */
  constructor(redis: Redis, subscriber: Redis, retentionMs: number) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    this.#retentionMs = retentionMs;
  }

  /**
   * Appends chunks, which follow each other, and wakes the readers. Resolves with the number of the chunk to append next: that
   * after the last one, or 0 if Redis has lost a part of the stream. The rest of it is then dropped, and all chunks must be
   * appended again.
   */
  async append(run: RunRef, chunks: readonly NumberedChunk[]): Promise<number> {
    const last = chunks.at(-1);
    if (last === undefined) return 0;
    const key = keyOf(run);
    const length = last.number + 1;
    const commands = this.#redis.multi();
    for (const { number, data } of chunks) commands.xAdd(key, `${number + 1}-0`, { d: data });
    try {
      const replies = await within(commands.pExpire(key, this.#retentionMs).publish(key, '').xLen(key).exec());
      if (Number(replies.at(-1)) === length) return length;
    } catch (error) {
      if (!(error instanceof MultiErrorReply)) throw error;
      // The same chunks were appended before, and only the reply was lost.
      if ((await this.length(run)) === length) return length;
    }
    // Redis has lost a part of the stream.
    await within(this.#redis.unlink(key));
    return 0;
  }

  /**
   * Marks the end of a run that has `length` chunks. Resolves with false if the stream does not have all of them, because Redis
   * has lost a part. The rest is then dropped, and all chunks must be appended again.
   */
  async end(run: RunRef, length: number): Promise<boolean> {
    const key = keyOf(run);
    if ((await this.length(run)) === length) {
      if ((await this.#lastId(key)) !== END_NUMBER)
        await within(
          this.#redis
            .multi()
            .xAdd(key, `${END_NUMBER}-0`, { e: String(length) })
            .pExpire(key, this.#retentionMs)
            .publish(key, '')
            .exec(),
        );
      if (await this.isComplete(run)) return true;
    }
    await within(this.#redis.unlink(key));
    return false;
  }

  /** The number of chunks that a stream has; 0 if there is none. */
  async length(run: RunRef): Promise<number> {
    const key = keyOf(run);
    const [length, lastId] = await Promise.all([within(this.#redis.xLen(key)), this.#lastId(key)]);
    return lastId === END_NUMBER ? length - 1 : length;
  }

  /** The chunks from a number on, as far as they are there. `isOver`: whether the run's end comes after them. */
  async read(run: RunRef, from: number): Promise<{ chunks: NumberedChunk[]; isOver: boolean }> {
    const entries = (await within(this.#redis.xRange(keyOf(run), `${from + 1}-0`, '+', { COUNT: READ_MAX }))) ?? [];
    const chunks: NumberedChunk[] = [];
    for (const { id, message } of entries) {
      const number = Number(id.split('-')[0]) - 1;
      if (number + 1 === END_NUMBER) return { chunks, isOver: Number(message.e) === from + chunks.length };
      // After a gap, the owner appends what is missing.
      if (number !== from + chunks.length) break;
      chunks.push({ number, data: message.d ?? '' });
    }
    return { chunks, isOver: false };
  }

  /** Checks whether a stream has all chunks of a run that has ended. */
  async isComplete(run: RunRef): Promise<boolean> {
    const key = keyOf(run);
    const [end] = (await within(this.#redis.xRevRange(key, '+', '-', { COUNT: 1 }))) ?? [];
    return end?.message.e !== undefined && (await within(this.#redis.xLen(key))) === Number(end.message.e) + 1;
  }

  /** Drops a stream, once a browser has stored the run. */
  async drop(run: RunRef): Promise<void> {
    await within(this.#redis.unlink(keyOf(run)));
  }

  /** Calls `wake` when chunks may have been appended, until the returned function is called. A call may be lost. */
  async follow(run: RunRef, wake: () => void): Promise<() => void> {
    const key = keyOf(run);
    await this.#subscriber.subscribe(key, wake);
    return () => void this.#subscriber.unsubscribe(key, wake).catch(() => undefined);
  }

  async #lastId(key: string): Promise<number> {
    const [last] = (await within(this.#redis.xRevRange(key, '+', '-', { COUNT: 1 }))) ?? [];
    return last === undefined ? 0 : Number(last.id.split('-')[0]);
  }
}
