// More than 400 lines: one class, and each of its rules.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { turnOf } from '#lib/agent/step.ts';
import { buildTurn, emptyTurn, resultOf, userMessage } from '#lib/agent/test/messages.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import { createLog } from '#log/log.ts';
import { LatestMemorySaver } from '#server/graph/checkpointer/memory-saver.ts';
import { createGraph, readThread } from '#server/graph/graph.ts';
import { testContext } from '#server/graph/test/fixtures.ts';
import { ModelServer } from '#server/graph/test/model-server.ts';
import type { Run } from './run.ts';
import { type ObservedRun, observerOf, type RunObserver } from './run-observer.ts';
import { RunRegistry } from './run-registry.ts';
import { readRun } from './test/read-run.ts';

/** The memory limit for the runs of a test. */
const MAX_BYTES = 1_000_000;

let model: ModelServer;
let saver: LatestMemorySaver;
let runs: RunRegistry;
let lines: string[];

beforeAll(async () => {
  model = await ModelServer.start();
});

beforeEach(() => {
  saver = new LatestMemorySaver();
  runs = new RunRegistry(createGraph(saver), { retentionMs: 60_000, maxBytes: MAX_BYTES });
  lines = [];
});

afterEach(() => {
  vi.useRealTimers();
  model.reset();
});

afterAll(() => model.stop());

const CALL = { name: 'read_file', arguments: '{"path":"/a"}' };

const context = () => testContext(model.url, { log: createLog('debug', (line) => lines.push(line)) });

/** Starts a run that sends a question, or continues with `messages`. */
function ask(threadId: string, runId: string, messages: Message[] = [userMessage('Hello secret question')]): Run {
  const input = { type: 'messages' as const, messages: [...messages, emptyTurn('turn')] };
  return runs.start({ threadId, runId, baseRevision: null, turnId: 'turn', input, context: context() });
}

/** Starts a run with results for all calls that the thread waits for. */
async function answer(threadId: string, runId: string, content = 'ok'): Promise<Run> {
  const state = await readThread(saver, threadId);
  const calls = pendingCalls(turnOf({ messages: state?.messages ?? [] }));
  const results = calls.map(({ toolCallId, toolName }) => resultOf(toolCallId, toolName, content));
  const baseRevision = state?.revision ?? null;
  const input = { type: 'resume' as const, results };
  return runs.start({ threadId, runId, baseRevision, turnId: 'turn', input, context: context() });
}

const read = (run: Run) => readRun(run.stream(0));
const typesOf = async (run: Run) => (await read(run)).chunks.map(({ type }) => type);

/** A reply that stops after its first characters until it is released. */
function heldReply() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: { text: 'Once upon a time, there was.', hold: { after: 10, until: promise } }, letGo: resolve };
}

/** Waits until a run has streamed text. */
const untilStreaming = async (run: Run) => {
  const reader = run.stream(0).getReader();
  let text = '';
  while (!text.includes('text-delta')) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
};

describe('while the server is being stopped', () => {
  test('running answers end as usual, no new ones begin, and a repeated request still finds its run', async () => {
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = ask('t', 'run');
    await untilStreaming(run);
    let isDrained = false;
    const draining = runs.drain().then(() => {
      isDrained = true;
    });
    const refused = expect.objectContaining({ status: 503, code: 'draining' });
    expect(() => ask('other', 'next')).toThrow(refused);
    expect(() => runs.refuseDraining()).toThrow(refused);
    expect(runs.existing('t', 'run', 'messages', null)).toBe(run);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isDrained).toBe(false);
    letGo();
    expect(await typesOf(run)).toContain('finish');
    await draining;
  });

  test('there is nothing to wait for if nothing runs', async () => {
    await expect(runs.drain()).resolves.toBeUndefined();
  });
});

describe('a run', () => {
  test('[R3] [R11] begins with its id, and ends with the revision once that is checkpointed', async () => {
    model.reply({ text: 'Looking.', calls: [CALL] });
    const run = ask('t', 'run');
    const stored = run.ended().then(() => readThread(saver, 't'));
    const { chunks } = await read(run);
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'turn', messageMetadata: { runId: 'run' } });
    const state = await stored;
    expect(chunks.at(-1)).toEqual({ type: 'finish', messageMetadata: { revision: state?.revision } });
    const turn = buildTurn(emptyTurn('turn'), chunks);
    expect(turn.status).toEqual({ type: 'waiting' });
    expect(turnOf({ messages: state?.messages ?? [] }).parts).toEqual(turn.parts);
  });

  test('[R11] every run ends with a new revision', async () => {
    model.reply({ calls: [CALL] }, { text: 'Done.' });
    const first = (await read(ask('t', 'r1'))).chunks.at(-1);
    const second = (await read(await answer('t', 'r2'))).chunks.at(-1);
    expect(second).toMatchObject({ type: 'finish', messageMetadata: { revision: expect.any(String) } });
    expect(second).not.toEqual(first);
  });

  test('[R9] continues when nobody reads it', async () => {
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = ask('t', 'r');
    await untilStreaming(run);
    letGo();
    await run.ended();
    expect(turnOf({ messages: (await readThread(saver, 't'))?.messages ?? [] }).parts.at(-1)).toEqual({
      type: 'text',
      text: 'Once upon a time, there was.',
    });
    expect(runs.find('t', 'r')).toBe(run);
  });

  test('[R15] that fails says why, with a message and a code, and does not answer a repeated request', async () => {
    model.reply({ error: { status: 429, message: 'Slow down.' } });
    const run = ask('t', 'r');
    const { chunks, done } = await read(run);
    expect(chunks.slice(-2)).toEqual([
      { type: 'data-problem', data: { code: 'rate-limited', detail: '429: Slow down.' } },
      { type: 'error', errorText: '429: Slow down.' },
    ]);
    expect(done).toBe(1);
    expect(run.isUsable).toBe(false);
    expect(buildTurn(emptyTurn('turn'), chunks).status).toMatchObject({
      type: 'failed',
      problem: { code: 'rate-limited' },
    });
  });
});

describe('[R9] one run per thread', () => {
  test('another one is rejected while it runs, and allowed afterwards', async () => {
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = ask('t', 'r1');
    expect(() => runs.existing('t', 'r2', 'messages', null)).toThrow(
      expect.objectContaining({ status: 409, code: 'run-active' }),
    );
    expect(() => runs.existing('t', 'r2', 'resume', 'x')).toThrow(expect.objectContaining({ code: 'run-active' }));
    expect(runs.existing('other', 'r2', 'messages', null)).toBeUndefined();
    letGo();
    await run.ended();
    expect(runs.existing('t', 'r2', 'messages', null)).toBeUndefined();
  });

  test('posting the same run again returns the existing run, however it ended', async () => {
    model.reply({ text: 'Hi.' }, { error: { status: 500, message: 'no' } });
    const finished = ask('t1', 'r1');
    const failed = ask('t2', 'r2');
    expect(runs.existing('t1', 'r1', 'messages', null)).toBe(finished);
    await Promise.all([finished.ended(), failed.ended()]);
    expect(runs.existing('t1', 'r1', 'messages', null)).toBe(finished);
    expect(runs.existing('t2', 'r2', 'messages', null)).toBe(failed);
  });

  test('a resume of the same state returns the existing run, while it runs and after it has succeeded', async () => {
    const { reply, letGo } = heldReply();
    model.reply({ calls: [CALL] }, reply);
    await ask('t', 'r1').ended();
    const run = await answer('t', 'r2');
    expect(runs.existing('t', 'r3', 'resume', run.baseRevision)).toBe(run);
    letGo();
    await run.ended();
    expect(runs.existing('t', 'r3', 'resume', run.baseRevision)).toBe(run);
    expect(runs.existing('t', 'r3', 'resume', 'another revision')).toBeUndefined();
    expect(runs.existing('t', 'r3', 'messages', run.baseRevision)).toBeUndefined();
  });

  test('a failed resume does not answer a repeated one', async () => {
    model.reply({ calls: [CALL] }, { error: { status: 500, message: 'no' } });
    await ask('t', 'r1').ended();
    const run = await answer('t', 'r2');
    await run.ended();
    expect(runs.existing('t', 'r3', 'resume', run.baseRevision)).toBeUndefined();
  });
});

describe('[R10] cancelling', () => {
  test('aborts the upstream request and waits for the run’s end; nothing is streamed or stored afterwards', async () => {
    const { reply } = heldReply();
    model.reply(reply);
    const run = ask('t', 'r');
    await untilStreaming(run);
    await runs.cancel('t', 'r');
    expect(run.endedAt).toBeDefined();
    expect(run.isUsable).toBe(false);
    const { chunks } = await read(run);
    expect(chunks.at(-1)).toEqual({ type: 'abort' });
    expect(chunks.map(({ type }) => type)).not.toContain('data-problem');
    const turn = buildTurn(emptyTurn('turn'), chunks);
    expect(turn.status).toEqual({ type: 'stopped' });
    expect(turn.parts.at(-1)).toMatchObject({ type: 'text', text: expect.stringMatching(/^Once upon/) });
    await vi.waitFor(() => expect(model.leftEarly).toBe(1));
    expect(turnOf({ messages: (await readThread(saver, 't'))?.messages ?? [] }).parts).toEqual([]);
    expect((await read(run)).chunks).toEqual(chunks);
  });

  test('works before the model has sent anything', async () => {
    model.reply({ text: 'late', hold: { after: 0, until: new Promise(() => undefined) } });
    const run = ask('t', 'r');
    await vi.waitFor(() => expect(model.requests).toHaveLength(1));
    await runs.cancel('t');
    expect(await typesOf(run)).toContain('abort');
    await vi.waitFor(() => expect(model.leftEarly).toBe(1));
  });

  test('works even before the model has been asked', async () => {
    model.reply({ text: 'never' });
    const run = ask('t', 'r');
    await runs.cancel('t');
    expect((await typesOf(run)).at(-1)).toBe('abort');
  });

  test('leaves the thread free for the next run', async () => {
    const { reply } = heldReply();
    model.reply(reply, { text: 'Hello.' });
    await untilStreaming(ask('t', 'r1'));
    await runs.cancel('t');
    expect((await typesOf(ask('t', 'r2'))).at(-1)).toBe('finish');
  });

  test('has no effect on a missing or different run', async () => {
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = ask('t', 'r');
    await runs.cancel('nobody');
    await runs.cancel('t', 'an older run');
    expect(run.abortSignal.aborted).toBe(false);
    letGo();
    await run.ended();
    await runs.cancel('t', 'r');
    expect((await typesOf(run)).at(-1)).toBe('finish');
  });
});

describe('[R10] a stop that arrives before its run', () => {
  test('prevents the run from starting, and the model is not asked', async () => {
    await runs.cancel('t', 'r');
    expect(() => ask('t', 'r')).toThrow('stopped before it began');
    expect(model.requests).toHaveLength(0);
    model.reply({ text: 'Hi.' });
    await ask('t', 'another').ended();
    expect(model.requests).toHaveLength(1);
  });

  test('reaches the run that answers its request, and the request is refused if it arrives later', async () => {
    const { reply, letGo } = heldReply();
    model.reply({ calls: [CALL] }, reply);
    await ask('t', 'r1').ended();
    const run = await answer('t', 'r2');
    // A page that was reloaded posts the same results under another id.
    expect(runs.existing('t', 'r3', 'resume', run.baseRevision)).toBe(run);
    await runs.cancel('t', 'r3');
    expect(run.abortSignal.aborted).toBe(true);
    await runs.cancel('t', 'r4');
    expect(() => runs.existing('t', 'r4', 'resume', run.baseRevision)).toThrow('stopped before it began');
    letGo();
  });

  test('is dropped when its run can no longer arrive', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await runs.cancel('t', 'r');
    vi.setSystemTime(Date.now() + 599_000);
    runs.evict();
    expect(() => ask('t', 'r')).toThrow();
    vi.setSystemTime(Date.now() + 2_000);
    runs.evict();
    model.reply({ text: 'Hi.' });
    await ask('t', 'r').ended();
  });

  test('is remembered for a limited number of runs', async () => {
    for (let n = 0; n < 10_100; n++) await runs.cancel('t', `r${n}`);
    runs.evict();
    expect(() => ask('t', 'r10099')).toThrow();
    model.reply({ text: 'Hi.' });
    await ask('t', 'r0').ended();
  });
});

describe('[R9] what is kept', () => {
  test('a finished run until a browser has stored it', async () => {
    model.reply({ text: 'Hi.' });
    const run = ask('t', 'r');
    runs.acknowledge('t', 'r');
    expect(runs.find('t')).toBe(run);
    await run.ended();
    runs.acknowledge('t', 'another run');
    expect(runs.find('t')).toBe(run);
    runs.acknowledge('t', 'r');
    expect(runs.find('t')).toBeUndefined();
    // Anyone already reading it can read it to its end.
    expect((await typesOf(run)).at(-1)).toBe('finish');
  });

  test('no finished run forever, but a running one as long as it takes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { reply, letGo } = heldReply();
    model.reply({ text: 'Hi.' }, reply, { text: 'Hi.' });
    await ask('finished', 'r').ended();
    const running = ask('running', 'r');
    await untilStreaming(running);
    vi.setSystemTime(Date.now() + 59_000);
    await ask('next', 'r').ended();
    expect(runs.find('finished')).toBeDefined();
    vi.setSystemTime(Date.now() + 2_000);
    runs.evict();
    expect(runs.find('finished')).toBeUndefined();
    expect(runs.find('next')).toBeDefined();
    expect(runs.find('running')).toBe(running);
    letGo();
    await running.ended();
  });

  // Other processes may take most of the machine.
  test('10,000 unread runs stay below the limit: the newest and the active ones', { timeout: 20_000 }, async () => {
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const running = ask('running', 'r');
    await untilStreaming(running);
    // Their replies come without a model.
    const chunks = Array.from({ length: 200 }, () => ({ type: 'text-delta' as const, id: '0', delta: 'word ' }));
    const stream = async () =>
      (async function* () {
        for (const chunk of chunks) yield ['custom', chunk];
      })();
    const abandoned = new RunRegistry({ stream } as unknown as ReturnType<typeof createGraph>, {
      retentionMs: 60_000,
      maxBytes: MAX_BYTES,
    });
    const shared = testContext(model.url);
    let most = 0;
    for (let n = 0; n < 10_000; n++) {
      const threadId = `thread ${n}`;
      const input = { type: 'messages' as const, messages: [] };
      const request = { threadId, runId: 'r', baseRevision: null, turnId: 'turn', input, context: shared };
      await abandoned.start(request).ended();
      if (n % 500 === 0) most = Math.max(most, abandoned.bytes);
    }
    expect(Math.max(most, abandoned.bytes)).toBeLessThan(1.1 * MAX_BYTES);
    expect(abandoned.find('thread 9999')).toBeDefined();
    expect(abandoned.find('thread 0')).toBeUndefined();
    letGo();
    await running.ended();
  });

  test('a run is found by its thread and its id', async () => {
    model.reply({ text: 'Hi.' });
    const run = ask('t', 'r');
    expect(runs.find('t')).toBe(run);
    expect(runs.find('t', 'r')).toBe(run);
    expect(runs.find('t', 'x')).toBeUndefined();
    expect(runs.find('x')).toBeUndefined();
    await run.ended();
  });
});

describe('[R18] the log', () => {
  test('logs runs and steps with their ids, and nothing of their content', async () => {
    model.count = () => 5_000;
    model.reply(
      { text: 'Looking for an answer.', calls: [CALL] },
      { error: { status: 401, message: 'sk-0123456789abcdef is wrong' } },
    );
    await ask('thread-1', 'run-1').ended();
    await (await answer('thread-1', 'run-2', 'the content of a file')).ended();
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ msg, runId }) => [runId, msg])).toEqual([
      ['run-1', 'run started'],
      ['run-1', 'step started'],
      ['run-1', 'step finished'],
      ['run-1', 'run finished'],
      ['run-2', 'run started'],
      ['run-2', 'run failed'],
    ]);
    expect(events.every(({ threadId }) => threadId === 'thread-1')).toBe(true);
    expect(events[2]).toMatchObject({ model: 'local/scripted', calls: 1, inputTokens: 5_000, outputTokens: 20 });
    expect(events[5]).toMatchObject({ level: 'warn', code: 'key-refused' });
    expect(lines.join()).not.toMatch(/secret question|Looking for|content of a file|sk-0123456789/);
  });
});

test('an observer gets chunks, ends, and results, with the names of known tools only', async () => {
  const seen: ObservedRun[] = [];
  const outcomes: unknown[] = [];
  let chunks = 0;
  const observer: RunObserver = {
    begin(run) {
      seen.push(run);
      return { chunk: () => void chunks++, end: (outcome) => void outcomes.push(outcome) };
    },
  };
  runs = new RunRegistry(createGraph(saver), { retentionMs: 60_000, maxBytes: MAX_BYTES }, observerOf([observer]));
  model.reply({ calls: [CALL, { name: 'a secret sentence', arguments: '{}' }] }, { text: 'Done.' });
  await ask('t', 'r1').ended();
  await (await answer('t', 'r2')).ended();
  expect(seen.map(({ threadId, turnId, runId }) => [threadId, turnId, runId])).toEqual([
    ['t', 'turn', 'r1'],
    ['t', 'turn', 'r2'],
  ]);
  expect(seen.map(({ results }) => results.map(({ toolName }) => toolName))).toEqual([[], ['read_file', 'unknown']]);
  expect(outcomes).toEqual(['finished', 'finished']);
  expect(chunks).toBeGreaterThan(4);
});
