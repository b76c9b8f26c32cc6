import { describe, expect, test, vi } from 'vitest';
import { buildTurn, emptyTurn } from '#lib/agent/test/messages.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { HEARTBEAT_MS } from '#lib/wire/heartbeat.ts';
import { Run } from './run.ts';
import { readRun } from './test/read-run.ts';

const CHUNKS: readonly StudioChunk[] = Array.from({ length: 12 }, (_, index) => ({
  type: 'text-delta',
  id: '0',
  delta: `${index}: two\n\nlines, data: and id: 7, 😀 \u2028`,
}));

const openRun = () => new Run({ id: 'run', threadId: 'thread', kind: 'messages', baseRevision: null });

const textOf = (chunks: readonly StudioChunk[]): string =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : JSON.stringify(chunk))).join('');

/** Checks that a reader gets everything from a chunk on, numbers each event by its last chunk, and ends once. */
async function expectRest(stream: ReadableStream<Uint8Array>, first: number, message = `from ${first}`) {
  const { ids, chunks, done } = await readRun(stream);
  expect(textOf(chunks), message).toBe(textOf(CHUNKS.slice(first)));
  expect(ids, message).toEqual(ids.toSorted((a, b) => a - b));
  expect(ids.at(-1), message).toBe(first < CHUNKS.length ? CHUNKS.length - 1 : undefined);
  expect(done, message).toBe(1);
}

describe('[R9] reading a run', () => {
  test('a finished run is read from any chunk on', async () => {
    const run = openRun();
    for (const chunk of CHUNKS) run.emit(chunk);
    run.end(true);
    for (let first = 0; first <= CHUNKS.length; first++) await expectRest(run.stream(first), first);
  });

  test('each chunk is there by itself for other processes, before and after the run has ended', () => {
    const run = openRun();
    const mixed: StudioChunk[] = [{ type: 'start' }, ...CHUNKS, { type: 'text-end', id: '0' }];
    for (const chunk of mixed) run.emit(chunk);
    const expected = mixed.map((chunk, number) => ({ number, data: JSON.stringify(chunk) }));
    for (let from = 0; from <= mixed.length; from++) expect(run.chunksFrom(from)).toEqual(expected.slice(from));
    run.end(true);
    for (let from = 0; from <= mixed.length; from++) expect(run.chunksFrom(from)).toEqual(expected.slice(from));
  });

  test('the streams of an abandoned run end without its end', async () => {
    const run = openRun();
    run.emit(CHUNKS[0] as StudioChunk);
    const reading = readRun(run.stream(0));
    await new Promise(setImmediate);
    run.abandon();
    expect(run.abortSignal.aborted).toBe(true);
    expect(await reading).toMatchObject({ done: 0, chunks: [CHUNKS[0]] });
    run.end(false);
    expect((await readRun(run.stream(0))).done).toBe(0);
  });

  test('whenever and wherever a reader joins, it gets everything exactly once', async () => {
    const run = openRun();
    const readers: Promise<void>[] = [];
    const join = (emitted: number) => {
      for (const first of [0, Math.floor(emitted / 2), emitted, emitted + 2])
        readers.push(
          expectRest(run.stream(first), Math.min(first, CHUNKS.length), `${first}, joined after ${emitted}`),
        );
    };
    join(0);
    for (const [index, chunk] of CHUNKS.entries()) {
      run.emit(chunk);
      join(index + 1);
      // Some chunks arrive one by one, some in bursts.
      if (index % 3 === 0) await Promise.resolve();
      if (index % 4 === 0) await new Promise(setImmediate);
    }
    run.end(true);
    join(CHUNKS.length);
    await Promise.all(readers);
    expect(readers).toHaveLength(56);
  });

  test('a reader that disconnects and resumes from the last number it saw gets everything exactly once', async () => {
    const mixed: StudioChunk[] = [
      { type: 'start' },
      { type: 'reasoning-start', id: 'r' },
      ...Array.from({ length: 50 }, (_, n) => ({ type: 'reasoning-delta' as const, id: 'r', delta: `t${n} ` })),
      { type: 'reasoning-end', id: 'r' },
      ...CHUNKS,
      { type: 'text-delta', id: '1', delta: 'another block' },
      { type: 'text-delta', id: '1', delta: ' with data', providerMetadata: { p: { a: 1 } } },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'write_file' },
      ...Array.from({ length: 50 }, (_, n) => ({
        type: 'tool-input-delta' as const,
        toolCallId: 'c',
        inputTextDelta: `${n},`,
      })),
      { type: 'finish' },
    ];
    const run = openRun();
    const expected = buildTurn(emptyTurn('turn'), mixed);
    for (const chunk of mixed) run.emit(chunk);
    for (const isOver of [false, true]) {
      if (isOver) run.end(true);
      for (let size = 1; size < 5; size++) {
        const seen: StudioChunk[] = [];
        let next = 0;
        while (next < mixed.length) {
          const reader = run.stream(next).getReader();
          const text = new TextDecoder().decode((await reader.read()).value);
          await reader.cancel();
          for (const event of text.split('\n\n').slice(0, size)) {
            const [id = '', data = ''] = event.split('\n');
            if (data === '') continue;
            seen.push(JSON.parse(data.slice('data: '.length)));
            next = Number(id.slice('id: '.length)) + 1;
          }
        }
        expect(buildTurn(emptyTurn('turn'), seen)).toEqual(expected);
      }
    }
  });

  test('a reader that is slow or stops blocks neither the run nor the others', async () => {
    const run = openRun();
    const slow = run.stream(0).getReader();
    const fast = expectRest(run.stream(0), 0);
    run.emit(CHUNKS[0] as StudioChunk);
    await slow.read();
    for (const chunk of CHUNKS.slice(1)) run.emit(chunk);
    run.end(true);
    await fast;
    let rest = '';
    for (;;) {
      const { done, value } = await slow.read();
      if (done) break;
      rest += new TextDecoder().decode(value);
    }
    expect(rest.match(/^id: \d+$/gm)?.at(-1)).toBe(`id: ${CHUNKS.length - 1}`);
    expect(rest).toContain(JSON.stringify(textOf(CHUNKS.slice(1))));
  });

  test('a reader that leaves does not affect the others', async () => {
    const run = openRun();
    const leaving = run.stream(0).getReader();
    const staying = expectRest(run.stream(0), 0);
    run.emit(CHUNKS[0] as StudioChunk);
    await leaving.read();
    await leaving.cancel();
    expect(run.abortSignal.aborted).toBe(false);
    for (const chunk of CHUNKS.slice(1)) run.emit(chunk);
    run.end(true);
    await staying;
    await expectRest(run.stream(0), 0);
  });

  test('a chunk is stored as it was when it was emitted', async () => {
    const run = openRun();
    const chunk = { type: 'text-delta' as const, id: '0', delta: 'before' };
    run.emit(chunk);
    chunk.delta = 'after';
    run.end(true);
    expect((await readRun(run.stream(0))).chunks).toEqual([{ type: 'text-delta', id: '0', delta: 'before' }]);
  });

  test('a long reply in small chunks uses little more memory than its text once it is complete', () => {
    const run = openRun();
    for (let n = 0; n < 100_000; n++) run.emit({ type: 'text-delta', id: '0', delta: 'four' });
    run.end(true);
    // Two bytes per character, and four for the end of each chunk.
    expect(run.bytes).toBeLessThan(100_000 * (2 * 4 + 4) + 10_000);
  });
});

describe('the end of a run', () => {
  test('can be awaited by any number of callers, before and after', async () => {
    const run = openRun();
    const waiting = Promise.all([run.ended(), run.ended()]);
    run.emit({ type: 'start' });
    expect(run.endedAt).toBeUndefined();
    run.end(false);
    await waiting;
    await run.ended();
    expect(run.endedAt).toBeLessThanOrEqual(Date.now());
  });

  test('a run that is active or has succeeded answers a repeated request; a failed one does not', () => {
    const [running, finished, failed] = [openRun(), openRun(), openRun()];
    finished.end(true);
    failed.end(false);
    expect([running, finished, failed].map(({ isUsable }) => isUsable)).toEqual([true, true, false]);
  });

  test('[R10] cancelling requests the end; readers are notified when it happens', async () => {
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

  test('a stream that nobody reads keeps nothing going', async () => {
    vi.useFakeTimers();
    try {
      const run = openRun();
      run.emit({ type: 'start' });
      const stream = run.stream(0);
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS * 3);
      expect(vi.getTimerCount()).toBe(0);
      run.end(true);
      expect(await readRun(stream)).toEqual({ ids: [0], chunks: [{ type: 'start' }], done: 1 });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('there are signs of life while nothing happens, and none once it has ended', async () => {
    vi.useFakeTimers();
    try {
      const run = openRun();
      const text: string[] = [];
      const reading = run
        .stream(0)
        .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
        .pipeTo(new WritableStream({ write: (piece) => void text.push(piece) }));
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS * 3 + 1);
      expect(text).toEqual([':\n\n', ':\n\n', ':\n\n']);
      run.emit({ type: 'start' });
      run.end(true);
      await reading;
      expect(text.slice(3)).toEqual(['id: 0\ndata: {"type":"start"}\n\n', 'data: [DONE]\n\n']);
    } finally {
      vi.useRealTimers();
    }
  });
});
