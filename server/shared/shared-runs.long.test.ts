// More than 400 lines: everything that several processes must keep to, against the same servers.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#config/env.ts';
import { Cable } from '#e2e/lib/cable.ts';
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
import type { Checkpointer } from '#server/graph/checkpointer/checkpointer.ts';
import { LatestMemorySaver } from '#server/graph/checkpointer/memory-saver.ts';
import { poolOf } from '#server/graph/checkpointer/postgres-saver.ts';
import { createGraph, readThread } from '#server/graph/graph.ts';
import { testContext, testEnv } from '#server/graph/test/fixtures.ts';
import { ModelServer } from '#server/graph/test/model-server.ts';
import { Catalogues } from '#server/http/catalogues.ts';
import { isDatabaseAway } from '#server/http/database-away.ts';
import { SentTexts } from '#server/http/sent-texts.ts';
import { RunRegistry } from '#server/runs/run-registry.ts';
import type { ReadableRun, Runs } from '#server/runs/runs.ts';
import { readRun } from '#server/runs/test/read-run.ts';
import { checkShared, openShared } from './shared.ts';
import { SharedRuns } from './shared-runs.ts';

const postgres = await startPostgres();
const redis = await startRedis();
/** The database and Redis of the tests. Where one is not installed, `npm test` says so. */
const servers = postgres && redis && { postgres, redis };

afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
});

/** A cable to the server at a URL, which can be pulled. `through`: that URL by way of the cable. */
async function cableTo(url = '') {
  const cable = await Cable.between(url);
  onTestFinished(() => cable.stop());
  return {
    pull: () => cable.pull(),
    plugIn: () => cable.plugIn(),
    through(direct = '') {
      const way = new URL(direct);
      way.hostname = 'localhost';
      way.port = new URL(cable.url).port;
      return way.href;
    },
  };
}

const CALL = { name: 'read_file', arguments: '{"path":"/a"}' };

/** The ways in which a studio keeps its runs. `isShared`: in PostgreSQL and Redis; `areTwo`: in two processes. */
const KINDS = [
  { name: 'one process with memory', isShared: false, areTwo: false },
  { name: 'one of several processes', isShared: true, areTwo: false },
  { name: 'two of several processes', isShared: true, areTwo: true },
];

describe('runs', () => {
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

  /** Opens what a process of the studio has. `postgres`, `redis`: other ways to them; `relayed`, `contents`: limits. */
  async function openProcess(urls: { postgres?: string; redis?: string; relayed?: number; contents?: number } = {}) {
    const lines: string[] = [];
    const log = createLog('debug', (line) => lines.push(line));
    const env = testEnv({
      DATABASE_URL: urls.postgres ?? servers?.postgres.url,
      SHARED_URL: urls.redis ?? servers?.redis.url,
      ...(urls.relayed !== undefined && { MCP_RELAY_MAX_OPEN: String(urls.relayed) }),
      ...(urls.contents !== undefined && { CONTENTS_MAX_BYTES: String(urls.contents) }),
    });
    const shared = await openShared(env, `process-${++number}`, log);
    const local = new RunRegistry(createGraph(shared.checkpointer), { retentionMs: 60_000, maxBytes: 10_000_000 });
    const runs = new SharedRuns({ ...shared, local, log });
    onTestFinished(async () => {
      await runs.close().catch(() => undefined);
      await shared.close().catch(() => undefined);
    });
    return { runs, checkpointer: shared.checkpointer, shared, lines };
  }

  type Process = Awaited<ReturnType<typeof openProcess>>;

  /** Where a browser's requests arrive. */
  interface Place {
    runs: Runs;
    checkpointer: Checkpointer;
  }

  /** Opens the places at which the requests of a test arrive; the same twice if there is only one process. */
  async function openTwo({ isShared, areTwo }: (typeof KINDS)[number]): Promise<[Place, Place]> {
    if (!isShared) {
      const checkpointer = new LatestMemorySaver();
      const runs = new RunRegistry(createGraph(checkpointer), { retentionMs: 60_000, maxBytes: 10_000_000 });
      return [
        { runs, checkpointer },
        { runs, checkpointer },
      ];
    }
    const one = await openProcess();
    return [one, areTwo ? await openProcess() : one];
  }

  const newThread = () => crypto.randomUUID();
  const context = () => testContext(model.url);

  const ask = async (
    { runs }: Place,
    threadId: string,
    runId: string,
    messages: Message[] = [userMessage('Hello')],
  ): Promise<ReadableRun> =>
    await runs.start({
      threadId,
      runId,
      baseRevision: null,
      turnId: 'turn',
      input: { type: 'messages', messages: [...messages, emptyTurn('turn')] },
      context: context(),
    });

  /** Resumes a thread with results for all calls that it waits for, as its browser would. */
  async function answer({ runs, checkpointer }: Place, threadId: string, runId: string): Promise<ReadableRun> {
    const state = await readThread(checkpointer, threadId);
    const calls = pendingCalls(turnOf({ messages: state?.messages ?? [] }));
    const results = calls.map(({ toolCallId, toolName }) => resultOf(toolCallId, toolName, 'ok'));
    const baseRevision = state?.revision ?? null;
    const input = { type: 'resume' as const, results };
    return runs.start({ threadId, runId, baseRevision, turnId: 'turn', input, context: context() });
  }

  const found = async ({ runs }: Place, threadId: string, runId: string): Promise<ReadableRun> => {
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

  /** Makes a process renew no more leases, as if it hung. */
  const hang = ({ shared }: Process) => {
    shared.ownership.renew = () => new Promise(() => undefined);
  };

  const refOf = async ({ shared }: Process, threadId: string, runId: string) => {
    const found = await shared.ownership.find(threadId, runId);
    if (found === undefined) throw new Error(`The run ${runId} was not found.`);
    return found.run;
  };

  const stored = async (threadId: string): Promise<string> =>
    JSON.stringify((await query.query('SELECT * FROM checkpoints WHERE thread_id = $1', [threadId])).rows);

  describe.each(KINDS.filter(({ isShared }) => !isShared || servers !== undefined))('of $name:', (kind) => {
    test('[R9] a run is read from any chunk, while it goes on and afterwards', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
      const { reply, letGo } = heldReply();
      model.reply(reply);
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      const remote = await found(other, thread, 'run');
      const reading = readRun(remote.stream(0));
      await untilStreaming(remote);
      letGo();
      const [here, there] = [await readRun(run.stream(0)), await reading];
      // Deltas may come together in one event.
      const written = ({ chunks }: typeof here) =>
        chunks.map((chunk) => ('delta' in chunk ? chunk.delta : `[${chunk.type}]`)).join('');
      expect(written(there)).toBe(written(here));
      expect(written(here)).toContain('Once upon a time, there was.');
      const late = await found(other, thread, 'run');
      const last = here.ids.at(-1) ?? 0;
      const rests = [];
      for (let from = 0; from <= last + 1; from++) {
        const rest = await readRun(late.stream(from));
        expect(rest.done).toBe(1);
        expect(rest.ids).toEqual(rest.ids.toSorted((a, b) => a - b));
        expect(rest.ids.at(-1)).toBe(from > last ? undefined : last);
        rests.push(written(rest));
      }
      expect(rests[0]).toBe(written(here));
      // Each rest is the one before it without a chunk.
      for (const [from, rest] of rests.slice(1).entries()) {
        expect(rests[from]?.endsWith(rest)).toBe(true);
        expect(rest.length).toBeLessThan(rests[from]?.length ?? 0);
      }
    });

    test('[R3] a thread is resumed with the results of its calls', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
      model.reply({ text: 'Looking.', calls: [CALL] }, { text: 'Found it.' });
      expect(await typesOf(await ask(one, thread, 'run-1'))).toContain('finish');
      expect(await textOf(await answer(other, thread, 'run-2'))).toBe('Found it.');
      expect(model.requests).toHaveLength(2);
    });

    test('[R9] a repeated request is answered with the run that exists', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
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

    test('a thread has only one run at a time', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
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

    test('[R10] a run is stopped at once, and one that is yet to come never starts', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
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

    test('a thread that is deleted while it runs does not come back', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
      const { reply, letGo } = heldReply();
      model.reply(reply);
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      await other.runs.forget(thread);
      await other.checkpointer.deleteThread(thread);
      letGo();
      await readRun(run.stream(0));
      expect(await readThread(other.checkpointer, thread)).toBeUndefined();
    });

    test('a run that a browser has stored is dropped', async () => {
      const [[one, other], thread] = [await openTwo(kind), newThread()];
      model.reply({ text: 'Done.' });
      await typesOf(await ask(one, thread, 'run'));
      await expect
        .poll(async () => {
          await other.runs.acknowledge(thread, 'run');
          return other.runs.find(thread, 'run');
        })
        .toBeUndefined();
    });
  });

  describe.skipIf(servers === undefined)('of several processes:', () => {
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
      hang(one);
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
      hang(one);
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

    test('what a browser has sent to one is known to all', async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const text = catalogueText(toolRegistry.list(), fragments);
      await new Catalogues(one.shared.texts).add(text);
      const catalogues = new Catalogues(other.shared.texts);
      expect((await catalogues.find(await sha256(text))).tools.list()).toHaveLength(toolRegistry.list().length);
      await expect(catalogues.find('unknown')).rejects.toMatchObject({ code: 'catalogue-needed' });
      const long = 'A long text. '.repeat(1_000);
      await new SentTexts(1_000_000, one.shared.texts).add(long);
      const contents = new SentTexts(1_000_000, other.shared.texts);
      const name = await sha256(long);
      expect(contents.find(name)).toBeUndefined();
      await contents.fetch([name, 'unknown']);
      expect(contents.find(name)).toBe(long);
    });

    test('what one process learns about a model is known to all, also to later ones', async () => {
      const [one, other] = [await openProcess(), await openProcess()];
      const key = `https://user:secret@models.example ${newThread()}`;
      one.shared.refusals.add(key);
      expect(one.shared.refusals.has(key)).toBe(true);
      await expect.poll(() => other.shared.refusals.has(key)).toBe(true);
      const later = await openProcess();
      expect(later.shared.refusals.has(key)).toBe(true);
      other.shared.refusals.delete(key);
      await expect.poll(() => [one, later].some(({ shared }) => shared.refusals.has(key))).toBe(false);
      expect((await openProcess()).shared.refusals.has(key)).toBe(false);
    });

    test('requests that are open for pages count in all processes together', async () => {
      const [one, other] = [await openProcess({ relayed: 2 }), await openProcess({ relayed: 2 })];
      const first = await one.shared.relayed.enter();
      const second = await other.shared.relayed.enter();
      expect(first && second).toBeDefined();
      expect(await one.shared.relayed.enter()).toBeUndefined();
      expect(await other.shared.relayed.enter()).toBeUndefined();
      first?.();
      first?.();
      await expect.poll(async () => (await other.shared.relayed.enter()) !== undefined).toBe(true);
      expect(await one.shared.relayed.enter()).toBeUndefined();
      // Without Redis, each process goes by its own.
      await servers?.redis.restart();
      await expect.poll(async () => (await one.shared.relayed.enter()) !== undefined).toBe(true);
    });

    test('what browsers have sent takes no more than the limit, and the least recently used goes first', async () => {
      const { shared } = await openProcess({ contents: 12_000 });
      const names = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(43));
      for (const name of names) {
        await shared.texts.add(name, 'x'.repeat(2_000));
        // The first one stays in use.
        expect(await shared.texts.find(names[0] ?? '')).toBeDefined();
      }
      const left = await Promise.all(names.map((name) => shared.texts.find(name)));
      expect(left.map((text) => text !== undefined)).toEqual([true, false, false, false, true, true, true, true]);
      await shared.texts.add('y'.repeat(43), 'y'.repeat(12_001));
      expect(await shared.texts.find('y'.repeat(43))).toBeUndefined();
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

    test('[R9] a resume that was answered already is answered with the same run, also after its end', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      model.reply({ calls: [CALL] }, { text: 'Answered.' });
      await typesOf(await ask(one, thread, 'run-1'));
      const { revision = null } = (await readThread(one.shared.checkpointer, thread)) ?? {};
      const ended = await answer(one, thread, 'run-2');
      await typesOf(ended);
      const ref = await refOf(one, thread, 'run-2');
      await expect.poll(() => one.shared.streams.isComplete(ref)).toBe(true);
      const again = await other.runs.existing(thread, 'run-3', 'resume', revision);
      expect(again && (await textOf(again))).toBe('Answered.');
      expect(await other.runs.existing(thread, 'run-4', 'resume', 'another revision')).toBeUndefined();
      // Once its chunks are gone, the browser finds the turn in the checkpoint.
      await one.shared.streams.drop(ref);
      await expect(other.runs.existing(thread, 'run-5', 'resume', revision)).rejects.toMatchObject({
        code: 'no-such-run',
      });
      expect(model.requests).toHaveLength(2);
    });

    test('a process that ends leaves its runs to the others at once', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      const { reply } = heldReply('First.');
      model.reply(reply, { text: 'Second.' });
      await untilStreaming(await ask(one, thread, 'run-1'));
      await one.runs.close();
      expect(await textOf(await ask(other, thread, 'run-2'))).toBe('Second.');
    });

    test('a database that says nothing for a while ends runs before their leases are over, and is used again', async () => {
      const cable = await cableTo(servers?.postgres.url);
      const [one, thread] = [await openProcess({ postgres: cable.through(servers?.postgres.url) }), newThread()];
      const { reply, letGo } = heldReply();
      model.reply(reply);
      const run = await ask(one, thread, 'run-1');
      await untilStreaming(run);
      const startedAt = performance.now();
      cable.pull();
      expect((await readRun(run.stream(0))).done).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      letGo();
      cable.plugIn();
      await endLease(thread);
      model.reply({ text: 'Again.' });
      const again = async () => {
        const next = await ask(one, thread, 'run-2').catch(() => undefined);
        return next && textOf(next);
      };
      await expect.poll(again, { timeout: 40_000 }).toBe('Again.');
    }, 90_000);

    test('a Redis that says nothing for a while delays only readers elsewhere', async () => {
      const cable = await cableTo(servers?.redis.url);
      const one = await openProcess({ redis: cable.through(servers?.redis.url) });
      const [other, thread] = [await openProcess(), newThread()];
      const { reply, letGo } = heldReply();
      model.reply(reply);
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      const reading = readRun((await found(other, thread, 'run')).stream(0));
      cable.pull();
      letGo();
      expect((await readRun(run.stream(0))).done).toBe(1);
      // The browser that reads elsewhere gets the rest from the stream or, if it is too late for that, from the checkpoint.
      if ((await reading).done === 0) expect(await readThread(other.shared.checkpointer, thread)).toBeDefined();
      cable.plugIn();
      model.reply({ text: 'Again.' });
      await typesOf(await ask(one, thread, 'run-2'));
      const again = async () => {
        const next = await other.runs.find(thread, 'run-2');
        return next && textOf(next);
      };
      await expect.poll(again, { timeout: 30_000 }).toBe('Again.');
    }, 60_000);

    test('[R9] a run whose end could not be said in time is found in the checkpoint, and not read without end', async () => {
      const [one, thread] = [await openProcess(), newThread()];
      model.reply({ text: 'Done.' });
      const { ownership } = one.shared;
      const release = ownership.release.bind(ownership);
      ownership.release = async (...args) => {
        await delay(8_000);
        await release(...args);
      };
      ownership.renew = () => Promise.reject(new Error('The database is away.'));
      const run = await ask(one, thread, 'run');
      expect((await readRun(run.stream(0))).done).toBe(0);
      await expect.poll(() => one.runs.find(thread, 'run'), { timeout: 5_000 }).toBeUndefined();
      expect(JSON.stringify((await readThread(one.checkpointer, thread))?.messages)).toContain('Done.');
    }, 30_000);

    test('a process that hangs in the middle of a transaction keeps its thread locked only for seconds', async () => {
      const [one, thread] = [await openProcess(), newThread()];
      model.reply({ text: 'First.' }, { text: 'Second.' });
      await typesOf(await ask(one, thread, 'run-1'));
      const pool = poolOf(servers?.postgres.url ?? '', 1);
      onTestFinished(() => pool.end());
      const frozen = await pool.connect();
      frozen.on('error', () => undefined);
      await frozen.query('BEGIN');
      await frozen.query('SELECT 1 FROM studio_runs WHERE thread_id = $1 FOR UPDATE', [thread]);
      const refused: unknown = await ask(one, thread, 'run-2').catch((error: unknown) => error);
      expect(isDatabaseAway(refused)).toBe(true);
      const again = async () => {
        const next = await ask(one, thread, 'run-2').catch(() => undefined);
        return next && textOf(next);
      };
      await expect.poll(again, { timeout: 10_000 }).toBe('Second.');
      frozen.release(true);
    }, 30_000);

    test('a locked row ends no run of another thread, and neither do requests that wait for it', async () => {
      const [one, thread, locked] = [await openProcess(), newThread(), newThread()];
      const { reply, letGo } = heldReply('Still here, after all of this.');
      model.reply(reply, { text: 'Other.' });
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      await typesOf(await ask(one, locked, 'run'));
      const client = await query.connect();
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM studio_runs WHERE thread_id = $1 FOR UPDATE', [locked]);
      const waiting = Array.from({ length: 15 }, () => one.runs.cancel(locked).catch(() => undefined));
      await delay(8_500);
      letGo();
      expect(await textOf(run)).toBe('Still here, after all of this.');
      await client.query('ROLLBACK');
      client.release();
      await Promise.all(waiting);
    }, 60_000);

    test('a run that is cut at the end of a process says nothing of an end, and stores no half answer', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      const { reply, letGo } = heldReply();
      model.reply(reply);
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      const reading = readRun(run.stream(0));
      await one.runs.close();
      await one.shared.close();
      letGo();
      const { done, chunks } = await reading;
      expect(done).toBe(0);
      expect(chunks.map(({ type }) => type)).not.toContain('data-problem');
      expect(JSON.stringify(await readThread(other.checkpointer, thread)) ?? '').not.toContain('Once');
    });

    test('[R9] a release that fails once is made up for, so that the thread goes on', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      model.reply({ calls: [CALL] }, { text: 'Answered.' });
      const { ownership } = one.shared;
      const release = ownership.release.bind(ownership);
      ownership.release = async () => {
        ownership.release = release;
        throw new Error('The database is away.');
      };
      await typesOf(await ask(one, thread, 'run-1'));
      const resumed = async () => {
        const run = await answer(other, thread, 'run-2').catch(() => undefined);
        return run && textOf(run);
      };
      await expect.poll(resumed, { timeout: 3_000 }).toBe('Answered.');
    });

    test('a late request for a run after which the thread has gone on starts nothing', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      model.reply({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
      for (const runId of ['late', 'second', 'third']) await typesOf(await ask(one, thread, runId));
      await expect(ask(other, thread, 'late')).rejects.toMatchObject({ status: 404, code: 'no-such-run' });
      await expect(ask(other, thread, 'second')).rejects.toMatchObject({ code: 'no-such-run' });
      expect(model.requests).toHaveLength(3);
    });

    test('[R10] a run that is stopped after it has lost its owner does not start again', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      const { reply } = heldReply();
      model.reply(reply);
      await untilStreaming(await ask(one, thread, 'run'));
      hang(one);
      await endLease(thread);
      await other.runs.cancel(thread, 'run');
      await expect(ask(other, thread, 'run')).rejects.toMatchObject({ code: 'run-cancelled' });
      await expect(other.runs.existing(thread, 'run', 'messages', null)).rejects.toMatchObject({
        code: 'run-cancelled',
      });
      expect(model.requests).toHaveLength(1);
    });

    test('a thread that is deleted while another process runs it leaves no row', async () => {
      const [one, other, thread] = [await openProcess(), await openProcess(), newThread()];
      const { reply, letGo } = heldReply();
      model.reply({ ...reply, calls: [CALL] });
      const run = await ask(one, thread, 'run');
      await untilStreaming(run);
      await other.shared.ownership.forget(thread);
      await other.checkpointer.deleteThread(thread);
      letGo();
      await readRun(run.stream(0));
      for (const table of ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'])
        expect((await query.query(`SELECT * FROM ${table} WHERE thread_id = $1`, [thread])).rows).toEqual([]);
    });

    describe('are refused at the start, with the variable to change,', () => {
      const refused = (variables: Environment) => expect(checkShared(testEnv(variables))).rejects;
      const { url = '' } = servers?.postgres ?? {};

      test('without PostgreSQL', async () => {
        await refused({ SHARED_URL: servers?.redis.url }).toThrow(/^SHARED_URL: .*Set DATABASE_URL to postgres:/);
      });

      test('without Redis', async () => {
        await refused({ DATABASE_URL: url, SHARED_URL: 'redis://127.0.0.1:9' }).toThrow(
          /^SHARED_URL: can’t connect to Redis/,
        );
      });

      test('with a database that cannot be reached, or a wrong user', async () => {
        const SHARED_URL = servers?.redis.url;
        await refused({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:9/x', SHARED_URL }).toThrow(
          /^DATABASE_URL: can’t use/,
        );
        await refused({ DATABASE_URL: url.replace('postgres@', 'nobody:secret@'), SHARED_URL }).toThrow(
          /^DATABASE_URL: can’t use this database.*nobody/,
        );
      });

      test('with a Redis that has a password, or evicts data', async () => {
        const strict = await startRedis('--requirepass', 'word-of-redis');
        const evicting = await startRedis('--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru');
        onTestFinished(async () => {
          await strict?.stop();
          await evicting?.stop();
        });
        await refused({ DATABASE_URL: url, SHARED_URL: strict?.url }).toThrow(/^SHARED_URL: can’t connect.*NOAUTH/);
        const wrong = strict?.url.replace('redis://', 'redis://:another-word@');
        const error: unknown = await checkShared(testEnv({ DATABASE_URL: url, SHARED_URL: wrong })).catch((it) => it);
        expect(String(error)).toMatch(/SHARED_URL: can’t connect.*WRONGPASS/);
        expect(String(error)).not.toContain('another-word');
        await refused({ DATABASE_URL: url, SHARED_URL: evicting?.url }).toThrow(/^SHARED_URL: .*noeviction/);
      });
    });

    test('with another one set up at the same time, the tables are there once', async () => {
      await query.query('DROP TABLE IF EXISTS studio_runs, studio_stopped_runs, checkpoint_migrations CASCADE');
      await query.query('DROP TABLE IF EXISTS checkpoints, checkpoint_blobs, checkpoint_writes CASCADE');
      const all = await Promise.all(Array.from({ length: 5 }, () => openProcess()));
      model.reply({ text: 'Hello.' });
      expect(await textOf(await ask(all[0] as Process, newThread(), 'run'))).toBe('Hello.');
    });
  });
});
