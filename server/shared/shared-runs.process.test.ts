import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { turnOf } from '#lib/agent/step.ts';
import { emptyTurn, resultOf, userMessage } from '#lib/agent/test/messages.ts';
import { delay } from '#lib/base/delay.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import { catalogueText } from '#lib/tools/catalogue/catalogue.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';
import { createLog } from '#log/log.ts';
import { startPostgres } from '#scripts/lib/postgres.ts';
import { startRedis } from '#scripts/lib/redis.ts';
import { createGraph, readThread } from '#server/graph/graph.ts';
import { testContext, testEnv } from '#server/graph/test/fixtures.ts';
import { ModelServer } from '#server/graph/test/model-server.ts';
import { Catalogues } from '#server/http/catalogues.ts';
import { Contents } from '#server/http/contents.ts';
import { RunRegistry } from '#server/runs/run-registry.ts';
import type { ReadableRun } from '#server/runs/runs.ts';
import { readRun } from '#server/runs/test/read-run.ts';
import { openShared } from './shared.ts';
import { SharedRuns } from './shared-runs.ts';

const postgres = await startPostgres();
const redis = await startRedis();
/** The database and Redis of the tests. Where one is not installed, `npm test` says so. */
const servers = postgres && redis && { postgres, redis };

afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
});

const CALL = { name: 'read_file', arguments: '{"path":"/a"}' };

describe.skipIf(servers === undefined)('several processes', () => {
  let model: ModelServer;
  let query: pg.Pool;
  let number = 0;

  beforeAll(async () => {
    model = await ModelServer.start();
    query = new pg.Pool({ connectionString: servers?.postgres.url });
    query.on('error', () => undefined);
  });

  afterEach(() => model.reset());

  afterAll(async () => {
    await query.end();
    await model.stop();
  });

  /** Opens what a process of the studio has. */
  async function openProcess() {
    const lines: string[] = [];
    const log = createLog('debug', (line) => lines.push(line));
    const env = testEnv({ DATABASE_URL: servers?.postgres.url, SHARED_URL: servers?.redis.url });
    const shared = await openShared(env, `process-${++number}`, log);
    const local = new RunRegistry(createGraph(shared.checkpointer), { retentionMs: 60_000, maxBytes: 10_000_000 });
    const runs = new SharedRuns({ ...shared, local, log });
    onTestFinished(async () => {
      runs.close();
      await shared.close();
    });
    return { runs, local, shared, lines };
  }

  type Process = Awaited<ReturnType<typeof openProcess>>;

  const newThread = () => crypto.randomUUID();
  const context = () => testContext(model.url);

  const ask = (
    { runs }: Process,
    threadId: string,
    runId: string,
    messages: Message[] = [userMessage('Hello')],
  ): Promise<ReadableRun> =>
    runs.start({
      threadId,
      runId,
      baseRevision: null,
      turnId: 'turn',
      input: { type: 'messages', messages: [...messages, emptyTurn('turn')] },
      context: context(),
    });

  /** Resumes a thread with results for all calls that it waits for, as its browser would. */
  async function answer({ runs, shared }: Process, threadId: string, runId: string): Promise<ReadableRun> {
    const state = await readThread(shared.checkpointer, threadId);
    const calls = pendingCalls(turnOf({ messages: state?.messages ?? [] }));
    const results = calls.map(({ toolCallId, toolName }) => resultOf(toolCallId, toolName, 'ok'));
    const baseRevision = state?.revision ?? null;
    const input = { type: 'resume' as const, results };
    return runs.start({ threadId, runId, baseRevision, turnId: 'turn', input, context: context() });
  }

  const found = async ({ runs }: Process, threadId: string, runId: string): Promise<ReadableRun> => {
    const run = await runs.find(threadId, runId);
    if (run === undefined) throw new Error(`The run ${runId} was not found.`);
    return run;
  };

  const typesOf = async (run: ReadableRun) => (await readRun(run.stream(0))).chunks.map(({ type }) => type);

  const textOf = async (run: ReadableRun): Promise<string> =>
    (await readRun(run.stream(0))).chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');

  /** A reply that stops after its first characters until it is released. */
  function heldReply(text = 'Once upon a time, there was.') {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { reply: { text, hold: { after: 10, until: promise } }, letGo: resolve };
  }

  const untilStreaming = async (run: ReadableRun) => {
    const reader = run.stream(0).getReader();
    let text = '';
    while (!text.includes('text-delta')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
  };

  /** Ends the lease of a thread's run in the database, as time does when the owner no longer renews it. */
  const endLease = (threadId: string) =>
    query.query(`UPDATE studio_runs SET lease_until = now() - interval '1 second' WHERE thread_id = $1`, [threadId]);

  const stored = async (threadId: string): Promise<string> =>
    JSON.stringify((await query.query('SELECT * FROM checkpoints WHERE thread_id = $1', [threadId])).rows);

  test('[R9] read a run of another one from any chunk, while it goes on and afterwards', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    const remote = await found(other, thread, 'run');
    const reading = readRun(remote.stream(0));
    await untilStreaming(remote);
    letGo();
    const [here, there] = [await readRun(run.stream(0)), await reading];
    const merged = (chunks: typeof here.chunks) => chunks.map((chunk) => ('delta' in chunk ? chunk.delta : chunk.type));
    expect(merged(there.chunks).join('|').replaceAll('|', '')).toBe(merged(here.chunks).join('|').replaceAll('|', ''));
    expect(there.done).toBe(1);
    expect(there.ids).toEqual(Array.from({ length: there.ids.length }, (_, index) => index));
    const late = await found(other, thread, 'run');
    for (const from of [0, 3, there.ids.length - 1, there.ids.length]) {
      const rest = await readRun(late.stream(from));
      expect(rest.ids).toEqual(there.ids.slice(from));
      expect(rest.done).toBe(1);
    }
  });

  test('[R3] resume a thread whose calls another one made', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    model.reply({ text: 'Looking.', calls: [CALL] }, { text: 'Found it.' });
    expect(await typesOf(await ask(one, thread, 'run-1'))).toContain('finish');
    expect(await textOf(await answer(other, thread, 'run-2'))).toBe('Found it.');
    expect(model.requests).toHaveLength(2);
  });

  test('[R9] answer a repeated request with the run that exists, wherever it is', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    model.reply({ calls: [CALL] });
    await typesOf(await ask(one, thread, 'run-1'));
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const resumed = await answer(one, thread, 'run-2');
    await untilStreaming(resumed);
    const again = await answer(other, thread, 'run-2');
    const joined = await answer(other, thread, 'run-3');
    letGo();
    const text = await textOf(resumed);
    expect(await textOf(again)).toBe(text);
    expect(await textOf(joined)).toBe(text);
    expect(await textOf(await found(other, thread, 'run-3'))).toBe(text);
    expect(model.requests).toHaveLength(2);
  });

  test('run one thread only once at a time', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run-1');
    await untilStreaming(run);
    await expect(ask(other, thread, 'run-2')).rejects.toMatchObject({ status: 409, code: 'run-active' });
    letGo();
    await typesOf(run);
    model.reply({ text: 'Next.' });
    expect(await textOf(await ask(other, thread, 'run-2'))).toBe('Next.');
  });

  test('[R10] stop each other’s runs at once, also by the id of a joined one, and runs that are yet to come', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    const startedAt = performance.now();
    await other.runs.cancel(thread, 'run');
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    expect((await typesOf(run)).at(-1)).toBe('abort');
    await other.runs.cancel(thread, 'run-2');
    await expect(ask(one, thread, 'run-2')).rejects.toMatchObject({ status: 409, code: 'run-cancelled' });
    expect(model.requests).toHaveLength(1);
  });

  test('[R10] a stop whose hint is lost arrives with the next renewal', async () => {
    const [one, thread] = [await openProcess(), newThread()];
    const { reply } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    await one.shared.ownership.stop(thread, 'run');
    expect((await typesOf(run)).at(-1)).toBe('abort');
  });

  test('[R9] take over the thread of one that is gone, and refuse what that one still writes', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply, letGo } = heldReply('What the first one says.');
    model.reply(reply, { text: 'What the second one says.' });
    const run = await ask(one, thread, 'run-1');
    await untilStreaming(run);
    one.runs.close();
    const reading = readRun((await found(other, thread, 'run-1')).stream(0));
    await endLease(thread);
    expect(await other.runs.find(thread, 'run-1')).toBeUndefined();
    // A browser that still reads is told that the run is lost: its stream ends without an end.
    expect((await reading).done).toBe(0);
    expect(await textOf(await ask(other, thread, 'run-2'))).toBe('What the second one says.');
    const before = await stored(thread);
    letGo();
    expect((await readRun(run.stream(0))).done).toBe(0);
    expect(await stored(thread)).toBe(before);
    const state = await readThread(other.shared.checkpointer, thread);
    expect(JSON.stringify(state?.messages)).toContain('What the second one says.');
  });

  test('the same run is started again by another one if its owner is gone', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply } = heldReply('First.');
    model.reply(reply, { text: 'Second.' });
    await untilStreaming(await ask(one, thread, 'run'));
    one.runs.close();
    await endLease(thread);
    expect(await textOf(await ask(other, thread, 'run'))).toBe('Second.');
  });

  test('an owner that cannot renew gives up by itself before its lease is over', async () => {
    const [one, thread] = [await openProcess(), newThread()];
    const { reply } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    one.shared.ownership.renew = () => Promise.reject(new Error('The database is away.'));
    const startedAt = performance.now();
    expect((await readRun(run.stream(0))).done).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }, 30_000);

  test('a thread that is deleted while another one runs it does not come back', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    await other.runs.forget(thread);
    await other.shared.checkpointer.deleteThread(thread);
    letGo();
    await readRun(run.stream(0));
    expect(await readThread(other.shared.checkpointer, thread)).toBeUndefined();
    expect(await stored(thread)).toBe('[]');
  });

  test('a run that a browser has stored is dropped everywhere', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    model.reply({ text: 'Done.' });
    await typesOf(await ask(one, thread, 'run'));
    await expect.poll(() => one.shared.streams.isComplete({ threadId: thread, fence: '1' })).toBe(true);
    await other.runs.acknowledge(thread, 'run');
    expect(await other.runs.find(thread, 'run')).toBeUndefined();
    expect(await one.shared.streams.length({ threadId: thread, fence: '1' })).toBe(0);
  });

  test('what a browser has sent to one is known to all', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const text = catalogueText(toolRegistry.list(), fragments);
    await new Catalogues(one.shared.texts).add(text);
    const catalogues = new Catalogues(other.shared.texts);
    expect((await catalogues.find(await sha256(text))).tools.list()).toHaveLength(toolRegistry.list().length);
    await expect(catalogues.find('unknown')).rejects.toMatchObject({ code: 'catalogue-needed' });
    const long = 'A long text. '.repeat(1_000);
    await new Contents(1_000_000, one.shared.texts).add(long);
    const contents = new Contents(1_000_000, other.shared.texts);
    const name = await sha256(long);
    expect(contents.find(name)).toBeUndefined();
    await contents.fetch([name, 'unknown']);
    expect(contents.find(name)).toBe(long);
  });

  test('a Redis that restarts empty loses no chunk, here or there', async () => {
    const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
    const { reply, letGo } = heldReply();
    model.reply(reply);
    const run = await ask(one, thread, 'run');
    await untilStreaming(run);
    const reading = readRun((await found(other, thread, 'run')).stream(0));
    await untilStreaming(await found(other, thread, 'run'));
    await servers?.redis.restart();
    await delay(200);
    letGo();
    const here = await readRun(run.stream(0));
    const there = await reading;
    expect(here.done).toBe(1);
    expect(there.done).toBe(1);
    expect(there.ids).toEqual(Array.from({ length: there.ids.length }, (_, index) => index));
    expect(there.chunks.at(-1)).toEqual(here.chunks.at(-1));
  }, 30_000);

  test('with another one set up at the same time, the tables are there once', async () => {
    await query.query('DROP TABLE IF EXISTS studio_runs, studio_stopped_runs, checkpoint_migrations CASCADE');
    await query.query('DROP TABLE IF EXISTS checkpoints, checkpoint_blobs, checkpoint_writes CASCADE');
    const all = await Promise.all(Array.from({ length: 5 }, openProcess));
    model.reply({ text: 'Hello.' });
    expect(await textOf(await ask(all[0] as Process, newThread(), 'run'))).toBe('Hello.');
  });
});
