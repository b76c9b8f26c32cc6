// More than 400 lines: one contract over three databases, with their set-up.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  ERROR,
  emptyCheckpoint,
  INTERRUPT,
  RESUME,
  SCHEDULED,
} from '@langchain/langgraph-checkpoint';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigError } from '#config/errors.ts';
import { turnOf } from '#lib/agent/step.ts';
import { emptyTurn, resultOf, userMessage } from '#lib/agent/test/messages.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import { startPostgres } from '#scripts/lib/postgres.ts';
import { freePort } from '#scripts/lib/server.ts';
import { createGraph, messagesInput, readThread, resumeInput } from '../graph.ts';
import { runGraph, testContext } from '../test/fixtures.ts';
import { ModelServer } from '../test/model-server.ts';
import { startPglite } from '../test/pglite-pool.ts';
import type { Checkpointer } from './checkpointer.ts';
import { openCheckpointer } from './checkpointers.ts';
import type { LatestMemorySaver } from './memory-saver.ts';
import { LatestPostgresSaver } from './postgres-saver.ts';

/** A place for checkpoints, and what a test needs to know about it. */
interface Storage {
  name: string;
  /** Whether checkpoints outlive the saver. */
  durable: boolean;
  start(): Promise<void>;
  /** Opens a saver as a new process would. */
  open(): Promise<Checkpointer>;
  /** Counts the rows of each kind that a thread has. */
  rowsOf(saver: Checkpointer, threadId: string): Promise<Record<string, number>>;
  /** Everything that is stored, as text. */
  dump(saver: Checkpointer): Promise<string>;
  stop(): Promise<void>;
}

const memory: Storage = {
  name: 'memory',
  durable: false,
  start: async () => undefined,
  open: () => openCheckpointer('memory:'),
  async rowsOf(saver, threadId) {
    const { storage, writes } = saver as LatestMemorySaver;
    const checkpoints = Object.values(storage[threadId] ?? {}).flatMap((namespace) => Object.keys(namespace));
    const own = Object.entries(writes).filter(([key]) => JSON.parse(key)[0] === threadId);
    return { checkpoints: checkpoints.length, writes: own.flatMap(([, entries]) => Object.keys(entries)).length };
  },
  async dump(saver) {
    const { storage, writes } = saver as LatestMemorySaver;
    return JSON.stringify({ storage, writes }, (_, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
  },
  stop: async () => undefined,
};

function sqliteStorage(): Storage {
  let folder = '';
  const file = () => join(folder, 'nested', 'checkpoints.db');
  return {
    name: 'sqlite',
    durable: true,
    async start() {
      folder = mkdtempSync(join(tmpdir(), 'studio-checkpoints-'));
    },
    open: () => openCheckpointer(`sqlite:${file()}`),
    async rowsOf(_saver, threadId) {
      const db = new DatabaseSync(file(), { readOnly: true });
      const count = (table: string) =>
        Number(db.prepare(`SELECT count(*) AS n FROM ${table} WHERE thread_id = ?`).get(threadId)?.n);
      const rows = { checkpoints: count('checkpoints'), writes: count('writes') };
      db.close();
      return rows;
    },
    async dump() {
      const parent = join(folder, 'nested');
      return readdirSync(parent)
        .map((name) => readFileSync(join(parent, name), 'latin1'))
        .join('\n');
    },
    async stop() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function postgresStorage(): Storage {
  let openPool: () => pg.Pool;
  let open: () => Promise<Checkpointer>;
  let stop = async () => {};
  const query = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const pool = openPool();
    try {
      return (await pool.query(sql, values)).rows as Record<string, unknown>[];
    } finally {
      await pool.end();
    }
  };
  return {
    name: 'postgres',
    durable: true,
    async start() {
      const server = await startPostgres();
      if (server === undefined) {
        process.stdout.write('No PostgreSQL on this machine: using PGlite instead.\n');
        const pglite = await startPglite();
        openPool = pglite.pool;
        open = () => LatestPostgresSaver.over(pglite.pool());
        stop = pglite.stop;
      } else {
        openPool = () => new pg.Pool({ connectionString: server.url });
        open = () => openCheckpointer(server.url);
        stop = server.stop;
      }
    },
    open: () => open(),
    async rowsOf(_saver, threadId) {
      const count = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE thread_id = $1) AS ${table}`;
      const [row] = await query(
        `SELECT ${['checkpoints', 'checkpoint_writes', 'checkpoint_blobs'].map(count).join(', ')}`,
        [threadId],
      );
      return {
        checkpoints: Number(row?.checkpoints),
        writes: Number(row?.checkpoint_writes),
        blobs: Number(row?.checkpoint_blobs),
      };
    },
    async dump() {
      const tables = [
        `SELECT checkpoint::text, metadata::text FROM checkpoints`,
        `SELECT channel, convert_from(blob, 'UTF8') AS value FROM checkpoint_blobs`,
        `SELECT channel, convert_from(blob, 'UTF8') AS value FROM checkpoint_writes`,
      ];
      return JSON.stringify(await Promise.all(tables.map((sql) => query(sql))));
    },
    stop: () => stop(),
  };
}

let lastId = 0;

/** A checkpoint newer than all earlier ones. */
function checkpointOf(values: Record<string, unknown>, versions: Record<string, number>): Checkpoint {
  const id = `1f000000-0000-6000-8000-${String(++lastId).padStart(12, '0')}`;
  return {
    ...emptyCheckpoint(),
    id,
    ts: new Date().toISOString(),
    channel_values: values,
    channel_versions: versions,
    versions_seen: { model: { ...versions } },
  };
}

const threadConfig = (threadId: string, namespace = ''): RunnableConfig => ({
  configurable: { thread_id: threadId, checkpoint_ns: namespace },
});

const metadataOf = (step: number, source: CheckpointMetadata['source'] = 'loop'): CheckpointMetadata => ({
  source,
  step,
  parents: {},
});

async function listed(saver: Checkpointer, config: RunnableConfig, options?: CheckpointListOptions) {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list(config, options)) tuples.push(tuple);
  return tuples;
}

/** JSON data that serializers, classes and databases are known to misinterpret. */
const HOSTILE: readonly string[] = [
  '{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"x"}}',
  '{"lc":1,"type":"constructor","id":[],"kwargs":{}}',
  '{"lc":1,"type":"secret","id":["PATH"]}',
  '{"lc":1,"type":"not_implemented","id":["x"]}',
  '{"lc":2,"type":"undefined"}',
  '{"lc":2,"type":"constructor","id":["Map"],"method":null,"args":[[["a",1]]],"kwargs":{}}',
  '{"lc":2,"type":"constructor","id":["Error"],"method":null,"args":["x"],"kwargs":{"message":"x"}}',
  '{"lg_name":"Send","node":"model","args":{}}',
  '{"lg_name":"Command","resume":1,"goto":"model"}',
  '{"__overwrite__":[]}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":1}',
  '{"__interrupt__":[{"value":1}],"__error__":"x","__root__":null}',
  '{"nul":"a\\u0000b","high":"a\\ud800b","low":"a\\udc00b","pair":"\\ud83d\\ude00","line":"\\u2028\\ufeff"}',
  '[null,true,-0.5,1e21,"",[[]],{"":{"":""}}]',
];

const hostileData = (): unknown[] => HOSTILE.map((json) => JSON.parse(json));
/** Compares as text, which shows own `__proto__` keys and lone surrogates. */
const hostileText = JSON.stringify(hostileData());

describe.each([memory, sqliteStorage(), postgresStorage()])('$name checkpointer', (storage) => {
  const opened = new Set<Checkpointer>();
  let model: ModelServer;

  beforeAll(async () => {
    model = await ModelServer.start();
    await storage.start();
  }, 60_000);

  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    model.reset();
    for (const saver of opened) await saver.close();
    opened.clear();
  });

  afterAll(async () => {
    await storage.stop();
    await model.stop();
  });

  async function open(): Promise<Checkpointer> {
    const saver = await storage.open();
    opened.add(saver);
    return saver;
  }

  /** Simulates a server restart: a saver that knows only what is stored. */
  async function reopen(saver: Checkpointer): Promise<Checkpointer> {
    if (!storage.durable) return saver;
    await saver.close();
    opened.delete(saver);
    return open();
  }

  test('a checkpoint is returned unchanged, with its parent', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    const first = checkpointOf({ messages: ['a'], revision: 'r1' }, { messages: 1, revision: 1 });
    const second = checkpointOf({ messages: ['a', 'b'], revision: 'r2' }, { messages: 2, revision: 2 });
    const saved = await saver.put(threadConfig(threadId), first, metadataOf(0, 'input'), { messages: 1, revision: 1 });
    expect(saved.configurable).toEqual({ thread_id: threadId, checkpoint_ns: '', checkpoint_id: first.id });
    expect((await saver.getTuple(saved))?.parentConfig).toBeUndefined();
    await saver.put(saved, second, metadataOf(1), { messages: 2, revision: 2 });
    const tuple = await saver.getTuple(threadConfig(threadId));
    expect(tuple?.checkpoint).toEqual(second);
    expect(tuple?.metadata).toEqual(metadataOf(1));
    expect(tuple?.config.configurable).toMatchObject({ thread_id: threadId, checkpoint_id: second.id });
    expect(tuple?.parentConfig?.configurable).toMatchObject({ thread_id: threadId, checkpoint_id: first.id });
    expect(tuple?.pendingWrites).toEqual([]);
  });

  test('a checkpoint that was never stored is not found', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    expect(await saver.getTuple(threadConfig(threadId))).toBeUndefined();
    expect(await listed(saver, threadConfig(threadId))).toEqual([]);
    const saved = await saver.put(threadConfig(threadId), checkpointOf({}, {}), metadataOf(0), {});
    const other = { configurable: { ...saved.configurable, checkpoint_id: 'another' } };
    expect(await saver.getTuple(other)).toBeUndefined();
  });

  test('a checkpoint stored twice exists once', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    const checkpoint = checkpointOf({ messages: ['a'] }, { messages: 1 });
    await saver.put(threadConfig(threadId), checkpoint, metadataOf(0), { messages: 1 });
    await saver.put(threadConfig(threadId), checkpoint, metadataOf(1), { messages: 1 });
    const tuples = await listed(saver, threadConfig(threadId));
    expect(tuples.map(({ metadata }) => metadata?.step)).toEqual([1]);
  });

  test('only the newest checkpoint of a thread is kept, and nothing of older ones', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    let config = threadConfig(threadId);
    const configs: RunnableConfig[] = [];
    for (const step of [1, 2, 3]) {
      const versions = { messages: step, revision: 1 };
      const checkpoint = checkpointOf({ messages: [step], revision: 'unchanged' }, versions);
      config = await saver.put(config, checkpoint, metadataOf(step), step === 1 ? versions : { messages: step });
      configs.push(config);
      await saver.putWrites(config, [['messages', [step + 1]]], `task-${step}`);
    }
    expect(await saver.getTuple(configs[0] ?? {})).toBeUndefined();
    expect(await saver.getTuple(configs[1] ?? {})).toBeUndefined();
    const tuples = await listed(saver, { configurable: { thread_id: threadId } });
    expect(tuples).toHaveLength(1);
    // A channel that has not changed since keeps its value, whatever else was deleted.
    expect(tuples[0]?.checkpoint.channel_values).toEqual({ messages: [3], revision: 'unchanged' });
    expect(tuples[0]?.pendingWrites).toEqual([['task-3', 'messages', [4]]]);
    const rows = await storage.rowsOf(saver, threadId);
    expect(rows).toEqual({ checkpoints: 1, writes: 1, ...('blobs' in rows ? { blobs: 2 } : {}) });
  });

  test('keeping only the newest affects neither other threads nor other namespaces', async () => {
    const saver = await open();
    const [threadId, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const put = (config: RunnableConfig, value: string, version = 1) => {
      const versions = { messages: version };
      return saver.put(config, checkpointOf({ messages: value }, versions), metadataOf(0), versions);
    };
    await put(threadConfig(other), 'other');
    await put(threadConfig(threadId, 'child'), 'child');
    await put(threadConfig(threadId), 'old');
    await put(threadConfig(threadId), 'new', 2);
    const messagesOf = async (config: RunnableConfig) =>
      (await saver.getTuple(config))?.checkpoint.channel_values.messages;
    expect(await messagesOf(threadConfig(other))).toBe('other');
    expect(await messagesOf(threadConfig(threadId, 'child'))).toBe('child');
    expect(await messagesOf(threadConfig(threadId))).toBe('new');
  });

  test('list filters by thread, namespace, metadata and position, and stops at its limit', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    const put = async (namespace: string, step: number, source: CheckpointMetadata['source']) => {
      const checkpoint = checkpointOf({ messages: namespace }, { messages: 1 });
      return saver.put(threadConfig(threadId, namespace), checkpoint, metadataOf(step, source), { messages: 1 });
    };
    await put('', 1, 'loop');
    const middle = await put('b', 2, 'input');
    await put('c', 3, 'loop');
    const namespaces = async (config: RunnableConfig, options?: CheckpointListOptions) =>
      (await listed(saver, config, options)).map((tuple) => tuple.config.configurable?.checkpoint_ns).sort();
    const thread = { configurable: { thread_id: threadId } };
    expect(await namespaces(thread)).toEqual(['', 'b', 'c']);
    expect(await namespaces(threadConfig(threadId, 'b'))).toEqual(['b']);
    expect(await namespaces(thread, { filter: { source: 'loop' } })).toEqual(['', 'c']);
    expect(await namespaces(thread, { filter: { source: 'loop', step: 3 } })).toEqual(['c']);
    expect(await namespaces(thread, { filter: { __proto__: null, constructor: 'x' } })).toEqual([]);
    expect(await namespaces(thread, { before: middle })).toEqual(['']);
    expect(await namespaces(thread, { limit: 2 })).toHaveLength(2);
    expect(await namespaces(thread, { limit: 0 })).toEqual([]);
    expect(await namespaces(middle)).toEqual(['b']);
  });

  test('the writes of a task are never overwritten and are returned in order', async () => {
    const saver = await open();
    const config = await saver.put(threadConfig(crypto.randomUUID()), checkpointOf({}, {}), metadataOf(0), {});
    const writes: [string, unknown][] = [
      ['messages', { text: 'first' }],
      ['revision', 'r1'],
      ['nothing', undefined],
    ];
    await saver.putWrites(config, writes, 'task-b');
    await saver.putWrites(config, [['messages', 'a second try']], 'task-b');
    await saver.putWrites(config, [['messages', 'another task']], 'task-a');
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ['task-a', 'messages', 'another task'],
      ['task-b', 'messages', { text: 'first' }],
      ['task-b', 'revision', 'r1'],
      ['task-b', 'nothing', null],
    ]);
  });

  test.each([ERROR, SCHEDULED, INTERRUPT, RESUME])(
    'a %s write is replaced by the next one and keeps its position',
    async (channel) => {
      const saver = await open();
      const config = await saver.put(threadConfig(crypto.randomUUID()), checkpointOf({}, {}), metadataOf(0), {});
      await saver.putWrites(config, [['messages', 'ordinary']], 'task');
      await saver.putWrites(config, [[channel, 'old']], 'task');
      await saver.putWrites(config, [[channel, 'new']], 'task');
      const writes = (await saver.getTuple(config))?.pendingWrites ?? [];
      expect(writes.map(([, name, value]) => [name, value]).sort()).toEqual(
        [
          [channel, 'new'],
          ['messages', 'ordinary'],
        ].sort(),
      );
    },
  );

  test('deleting a thread removes all of it and nothing of the others', async () => {
    const saver = await open();
    const [threadId, other] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of [threadId, other]) {
      const checkpoint = checkpointOf({ messages: ['a'] }, { messages: 1 });
      const config = await saver.put(threadConfig(id), checkpoint, metadataOf(0), { messages: 1 });
      await saver.putWrites(config, [['messages', ['b']]], 'task');
    }
    await saver.deleteThread(threadId);
    expect(await saver.getTuple(threadConfig(threadId))).toBeUndefined();
    expect(new Set(Object.values(await storage.rowsOf(saver, threadId)))).toEqual(new Set([0]));
    expect((await saver.getTuple(threadConfig(other)))?.pendingWrites).toHaveLength(1);
    await saver.deleteThread(threadId);
  });

  test('pruning removes only idle threads', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const saver = await open();
    const [idle, active] = [crypto.randomUUID(), crypto.randomUUID()];
    const putAt = async (threadId: string, time: string) => {
      vi.setSystemTime(time);
      const checkpoint = checkpointOf({ messages: ['a'] }, { messages: 1 });
      const config = await saver.put(threadConfig(threadId), checkpoint, metadataOf(0), { messages: 1 });
      await saver.putWrites(config, [['messages', ['b']]], 'task');
    };
    await putAt(idle, '2001-01-01T00:00:00Z');
    await putAt(active, '2001-01-01T00:00:00Z');
    await putAt(active, '2001-01-03T00:00:00Z');
    expect(await saver.pruneIdle(Date.parse('2001-01-01T00:00:00Z'))).toBe(0);
    expect(await saver.pruneIdle(Date.parse('2001-01-02T00:00:00Z'))).toBe(1);
    expect(new Set(Object.values(await storage.rowsOf(saver, idle)))).toEqual(new Set([0]));
    expect(await saver.getTuple(threadConfig(active))).toBeDefined();
    expect(await saver.pruneIdle(Date.parse('2001-01-04T00:00:00Z'))).toBe(1);
  });

  test('[R13] checkpoints survive a restart', async ({ skip }) => {
    skip(!storage.durable, 'checkpoints in memory end with the process, which is their promise');
    const saver = await open();
    const threadId = crypto.randomUUID();
    const checkpoint = checkpointOf({ messages: ['a'] }, { messages: 1 });
    const config = await saver.put(threadConfig(threadId), checkpoint, metadataOf(0), { messages: 1 });
    await saver.putWrites(config, [[INTERRUPT, { value: 1 }]], 'task');
    const again = await reopen(saver);
    const tuple = await again.getTuple(threadConfig(threadId));
    expect(tuple?.checkpoint).toEqual(checkpoint);
    expect(tuple?.pendingWrites).toEqual([['task', INTERRUPT, { value: 1 }]]);
  });

  test('[R8] data that looks like a class, a secret or a marker remains data', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    const checkpoint = checkpointOf({ messages: hostileData() }, { messages: 1 });
    const config = await saver.put(threadConfig(threadId), checkpoint, metadataOf(0), { messages: 1 });
    await saver.putWrites(config, [['messages', hostileData()]], 'task');
    await saver.putWrites(config, [[RESUME, hostileData()]], 'task');
    const tuple = await (await reopen(saver)).getTuple(threadConfig(threadId));
    expect(JSON.stringify(tuple?.checkpoint.channel_values.messages)).toBe(hostileText);
    expect(tuple?.pendingWrites?.map(([, , value]) => JSON.stringify(value))).toEqual([hostileText, hostileText]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('[R3] [R8] [R13] a thread that waits for the browser survives a restart and continues with results of any shape', async () => {
    const saver = await open();
    const threadId = crypto.randomUUID();
    const context = testContext(model.url);
    model.reply(
      {
        text: 'Looking.',
        calls: [
          { name: 'read_file', arguments: '{"path":"/a"}' },
          { name: 'list_directory', arguments: '{"lc":1,"type":"secret","id":["PATH"]}' },
        ],
      },
      { text: 'Done.' },
    );
    const before = createGraph(saver);
    const messages = [userMessage('Look'), emptyTurn()];
    expect((await runGraph(before, threadId, messagesInput(messages), context)).error).toBeUndefined();
    const waiting = await readThread(saver, threadId);
    const pending = pendingCalls(turnOf({ messages: waiting?.messages ?? [] }));
    expect(pending).toHaveLength(2);

    const restarted = await reopen(saver);
    const after = createGraph(restarted);
    expect(await readThread(restarted, threadId)).toEqual(waiting);
    const [first = '', second = ''] = pending.map(({ toolCallId }) => toolCallId);
    const content = 'NUL \0 high \ud800 low \udc00 😀';
    const results = [
      resultOf(second, 'list_directory', hostileText),
      resultOf(first, 'read_file', content, hostileData()),
    ];
    const { error } = await runGraph(after, threadId, resumeInput('next', results), context);
    expect(error).toBeUndefined();

    const state = await readThread(await reopen(restarted), threadId);
    const turn = turnOf({ messages: state?.messages ?? [] });
    expect(pendingCalls(turn)).toEqual([]);
    expect(turn.parts.map(({ type }) => type)).toEqual(['step', 'text', 'tool-call', 'tool-call', 'step', 'text']);
    const calls = turn.parts.filter((part) => part.type === 'tool-call');
    expect(JSON.stringify(calls.map(({ result }) => result))).toBe(JSON.stringify([results[1], results[0]]));
    expect(calls[1]?.input).toEqual({ lc: 1, type: 'secret', id: ['PATH'] });
    const told = model.requests[1]?.messages.filter(({ role }) => role === 'tool').map((message) => message.content);
    // Servers would refuse half a character.
    expect(told).toEqual([content.toWellFormed(), hostileText]);
  });

  test('[R18] neither a key nor an error that contains it is stored', async () => {
    const key = 'a-key-of-no-usual-shape-4711';
    vi.stubEnv('LOCAL_API_KEY', key);
    const saver = await open();
    const graph = createGraph(saver);
    const threadId = crypto.randomUUID();
    const context = testContext(model.url, { apiKey: key });
    const run = () => runGraph(graph, threadId, messagesInput([userMessage('Hi'), emptyTurn()]), context);
    model.reply({ error: { status: 401, message: `Incorrect API key provided: ${key}` } }, { text: 'Hello' });
    expect((await run()).error).toBeInstanceOf(Error);
    expect(await storage.dump(saver)).toContain('Hi');
    expect(await storage.dump(saver)).not.toContain(key);
    expect((await run()).error).toBeUndefined();
    expect(await storage.dump(saver)).toContain('Hello');
    expect(await storage.dump(saver)).not.toContain(key);
  });
});

describe('DATABASE_URL', () => {
  test.each(['', 'mysql://localhost/x', 'checkpoints.db', 'postgres:', 'memory'])(
    '%j is rejected with the valid options',
    async (url) => {
      await expect(openCheckpointer(url)).rejects.toThrow(ConfigError);
      await expect(openCheckpointer(url)).rejects.toThrow('memory:, sqlite:<file> or postgres://');
    },
  );

  test('[R18] the error does not contain the URL, which may include a password', async () => {
    await expect(openCheckpointer('mysql://me:hidden@host/db')).rejects.not.toThrow('hidden');
  });

  test('an unreachable database is an error, not a hang', async () => {
    await expect(openCheckpointer(`postgres://postgres@127.0.0.1:${await freePort()}/x`)).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});
