import { describe, expect, test } from 'vitest';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { Run } from './run.ts';
import { readRun } from './test/read-run.ts';

const CHUNKS: readonly StudioChunk[] = Array.from({ length: 12 }, (_, index) => ({
  type: 'text-delta',
  id: '0',
  delta: `${index}: two\n\nlines, data: and id: 7, 😀 \u2028`,
}));

const openRun = () => new Run({ id: 'run', threadId: 'thread', kind: 'replace', baseRevision: null });
const from = (first: number) => ({
  ids: CHUNKS.map((_, index) => index).slice(first),
  chunks: CHUNKS.slice(first),
  done: 1,
});

describe('[R9] reading a run', () => {
  test('a finished run is read from any chunk on', async () => {
    const run = openRun();
    for (const chunk of CHUNKS) run.emit(chunk);
    run.end(true);
    for (let first = 0; first <= CHUNKS.length; first++) expect(await readRun(run.stream(first))).toEqual(from(first));
  });

  test('whenever a reader joins, and from wherever, it misses nothing and gets nothing twice', async () => {
    const run = openRun();
    const readers: Promise<void>[] = [];
    const join = (emitted: number) => {
      for (const first of [0, Math.floor(emitted / 2), emitted, emitted + 2]) {
        const expected = from(Math.min(first, CHUNKS.length));
        readers.push(
          readRun(run.stream(first)).then((read) => {
            expect(read, `from ${first}, joined after ${emitted}`).toEqual(expected);
          }),
        );
      }
    };
    join(0);
    for (const [index, chunk] of CHUNKS.entries()) {
      run.emit(chunk);
      join(index + 1);
      // Some chunks come one by one, some in a row.
      if (index % 3 === 0) await Promise.resolve();
      if (index % 4 === 0) await new Promise(setImmediate);
    }
    run.end(true);
    join(CHUNKS.length);
    await Promise.all(readers);
    expect(readers).toHaveLength(56);
  });

  test('a reader that is slow or stops reading holds up neither the run nor the others', async () => {
    const run = openRun();
    const slow = run.stream(0).getReader();
    const fast = readRun(run.stream(0));
    run.emit(CHUNKS[0] as StudioChunk);
    await slow.read();
    for (const chunk of CHUNKS.slice(1)) run.emit(chunk);
    run.end(true);
    expect(await fast).toEqual(from(0));
    let rest = '';
    for (;;) {
      const { done, value } = await slow.read();
      if (done) break;
      rest += new TextDecoder().decode(value);
    }
    expect(rest.match(/^id: \d+$/gm)).toHaveLength(CHUNKS.length - 1);
  });

  test('a reader that leaves takes nothing with it', async () => {
    const run = openRun();
    const leaving = run.stream(0).getReader();
    const staying = readRun(run.stream(0));
    run.emit(CHUNKS[0] as StudioChunk);
    await leaving.read();
    await leaving.cancel();
    expect(run.abortSignal.aborted).toBe(false);
    for (const chunk of CHUNKS.slice(1)) run.emit(chunk);
    run.end(true);
    expect(await staying).toEqual(from(0));
    expect(await readRun(run.stream(0))).toEqual(from(0));
  });

  test('a chunk is kept as it was when it was emitted', async () => {
    const run = openRun();
    const chunk = { type: 'text-delta' as const, id: '0', delta: 'before' };
    run.emit(chunk);
    chunk.delta = 'after';
    run.end(true);
    expect((await readRun(run.stream(0))).chunks).toEqual([{ type: 'text-delta', id: '0', delta: 'before' }]);
  });
});

describe('the end of a run', () => {
  test('is waited for by any number, before and after', async () => {
    const run = openRun();
    const waiting = Promise.all([run.ended(), run.ended()]);
    run.emit({ type: 'start' });
    expect(run.endedAt).toBeUndefined();
    run.end(false);
    await waiting;
    await run.ended();
    expect(run.endedAt).toBeLessThanOrEqual(Date.now());
  });

  test('a run that goes on or has gone well answers a repeated request; a failed one does not', () => {
    const [running, finished, failed] = [openRun(), openRun(), openRun()];
    finished.end(true);
    failed.end(false);
    expect([running, finished, failed].map(({ isUsable }) => isUsable)).toEqual([true, true, false]);
  });

  test('[R10] to cancel is to ask for the end: readers are told when it has come', async () => {
    const run = openRun();
    const reading = readRun(run.stream(0));
    run.cancel();
    expect(run.abortSignal.aborted).toBe(true);
    expect(run.abortSignal.reason).toMatchObject({ name: 'AbortError' });
    expect(run.endedAt).toBeUndefined();
    run.emit({ type: 'abort' });
    run.end(false);
    expect(await reading).toEqual({ ids: [0], chunks: [{ type: 'abort' }], done: 1 });
  });
});
