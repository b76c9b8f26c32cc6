import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '#log/log.ts';
import { startRedis } from '#scripts/lib/redis.ts';
import type { RunRef } from './ownership.ts';
import { connect } from './redis.ts';
import { type NumberedChunk, RunStreams } from './run-streams.ts';

const redis = await startRedis();

afterAll(() => redis?.stop());

const chunk = (number: number): NumberedChunk => ({ number, data: JSON.stringify({ type: 'text-delta', number }) });
const chunks = (from: number, to: number): NumberedChunk[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => chunk(from + index));

describe.skipIf(redis === undefined)('the chunks of a run in Redis', async () => {
  const client = redis && (await connect(redis.url, createLog('silent')));
  const subscriber = await client?.duplicate().connect();
  afterAll(() => {
    client?.destroy();
    subscriber?.destroy();
  });
  const open = () => {
    if (client === undefined || subscriber === undefined) throw new Error('There is no Redis.');
    return new RunStreams(client, subscriber, 60_000);
  };
  const newRun = (): RunRef => ({ threadId: crypto.randomUUID(), fence: '1' });

  test('are a beginning of the run without gaps or repetitions, whatever is appended again, lost, or read when', async () => {
    const streams = open();
    const step = fc.oneof(
      fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }),
      // The reply to an append was lost, so it is made again.
      fc.record({ type: fc.constant('again' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ type: fc.constant('read' as const), from: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ type: fc.constant('lose' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const run = newRun();
        let length = 0;
        let next = 0;
        for (const one of steps) {
          if (one.type === 'append') {
            length += one.count;
            next = await streams.append(run, chunks(next, length));
          } else if (one.type === 'again') {
            const from = Math.max(0, next - one.count);
            if (from < next) next = await streams.append(run, chunks(from, next));
          } else if (one.type === 'lose') await client?.flushAll();
          else {
            const { chunks: read } = await streams.read(run, one.from);
            expect(read).toEqual(chunks(one.from, one.from + read.length));
            expect(one.from + read.length).toBeLessThanOrEqual(Math.max(length, one.from));
          }
        }
        // As the owner does until nothing is missing.
        while (next < length || (await streams.length(run)) < length)
          next = await streams.append(run, chunks(next % length, length));
        expect(await streams.end(run, length)).toBe(true);
        expect(await streams.read(run, 0)).toEqual({ chunks: chunks(0, length), isOver: true });
        expect(await streams.isComplete(run)).toBe(true);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('take less than 160 bytes each, and go after a while', async () => {
    const streams = open();
    const run = newRun();
    const before = Number(/used_memory:(\d+)/.exec((await client?.info('memory')) ?? '')?.[1]);
    const word = (number: number) => ({
      number,
      data: JSON.stringify({ type: 'text-delta', id: 'txt-0', delta: ` word${number}` }),
    });
    for (let number = 0; number < 5_000; number += 5)
      await streams.append(
        run,
        Array.from({ length: 5 }, (_, index) => word(number + index)),
      );
    const after = Number(/used_memory:(\d+)/.exec((await client?.info('memory')) ?? '')?.[1]);
    expect((after - before) / 5_000).toBeLessThan(160);
    const rest = Number(await client?.pTTL(`rt:run:${run.threadId}:1`));
    expect(rest).toBeGreaterThan(50_000);
    expect(rest).toBeLessThanOrEqual(60_000);
    await streams.drop(run);
    expect(await streams.length(run)).toBe(0);
  });

  test('wake whoever follows the run, and nobody else', async () => {
    const streams = open();
    const [run, other] = [newRun(), newRun()];
    const woken: string[] = [];
    const unfollow = await streams.follow(run, () => woken.push('run'));
    await streams.follow(other, () => woken.push('other'));
    await streams.append(run, chunks(0, 2));
    await expect.poll(() => woken).toEqual(['run']);
    unfollow();
    await streams.append(run, chunks(2, 3));
    await streams.append(other, chunks(0, 1));
    await expect.poll(() => woken).toEqual(['run', 'other']);
  });
});
