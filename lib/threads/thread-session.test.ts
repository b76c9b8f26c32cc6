// More than 400 lines: everything a session does is tested against the same planned server.
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, ToolCallPart, UserMessage } from '#lib/messages/message.ts';
import { catalogueText, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { defineTool } from '#lib/tools/core/tool.ts';
import { resultText } from '#lib/tools/core/tool-call.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { readFile } from '#lib/tools/files/read-file.ts';
import type { PathRule } from '#lib/tools/permission/path-rule.ts';
import { judgeCall } from '#lib/tools/permission/path-rules.ts';
import type { PermissionSettings } from '#lib/tools/permission/policy.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { writeText } from '#lib/vfs/test/contract.ts';
import type { ChatRequest } from '#lib/wire/chat.ts';
import type { ThreadStateAnswer } from '#lib/wire/thread-state.ts';
import type { ApprovalAnswer } from './approvals.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { SoleThreadLock, soleMoveLock } from './test/sole-locks.ts';
import { said, threadOf } from './test/store-contract.ts';
import { ThreadFiles } from './thread-files.ts';
import { ThreadSession } from './thread-session.ts';
import { StorageError } from './thread-store.ts';
import { type ChunkStream, ConnectionError, ServerProblem, type Transport } from './transport.ts';

/** The behavior of a run: it sends chunks, fails after them, or goes on until it is cancelled. */
type Reply = {
  /** The chunks before its step. */
  before?: readonly StudioChunk[];
  chunks: readonly StudioChunk[];
  ending?: 'end' | 'fail' | 'hang';
};

/** A server that answers each run as the test plans. */
class PlannedServer implements Transport {
  readonly plan: Reply[] = [];
  readonly posts: ChatRequest[] = [];
  #cancelled = new AbortController();

  async post(request: ChatRequest, signal: AbortSignal): Promise<ChunkStream> {
    this.posts.push(request);
    const reply = this.plan.shift() ?? { chunks: says('Done.') };
    return this.#stream(request, reply, AbortSignal.any([signal, this.#cancelled.signal]));
  }

  async *#stream(
    request: ChatRequest,
    { before = [], chunks, ending = 'end' }: Reply,
    signal: AbortSignal,
  ): ChunkStream {
    const { turnId, runId } = request;
    const start: StudioChunk = { type: 'start', messageId: turnId, messageMetadata: { runId } };
    yield { chunks: [start, ...before, STEP, ...chunks], next: 2 };
    if (ending === 'fail') throw new ServerProblem(502, 'stream-broken', 'The model stopped.');
    if (ending === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    signal.throwIfAborted();
    yield { chunks: [STEP_END, { type: 'finish', messageMetadata: { revision: `after ${runId}` } }], next: 4 };
  }

  attach(): Promise<ChunkStream> {
    return Promise.reject(new ConnectionError('Nothing breaks here.'));
  }

  async cancel(): Promise<void> {
    this.#cancelled.abort();
    this.#cancelled = new AbortController();
  }

  async threadState(): Promise<ThreadStateAnswer | undefined> {
    return undefined;
  }

  async acknowledge(): Promise<void> {}
  async deleteThread(): Promise<void> {}
}

const STEP: StudioChunk = {
  type: 'data-step',
  data: {
    model: 'm',
    provider: 'p',
    promptHash: 'h',
    settings: { systemPrompt: '', toolsets: ['test'], toolCalling: 'native', budgetTokens: 1, lastStep: false },
  },
};
const STEP_END: StudioChunk = {
  type: 'data-step-end',
  data: { finishReason: 'stop', usage: {}, durationMs: 1, notices: [] },
};

const says = (text: string): StudioChunk[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
];

const calls = (toolCallId: string, toolName: string, input: unknown = {}): StudioChunk[] => [
  { type: 'tool-input-available', toolCallId, toolName, input },
];

/** A tool that counts its calls. */
const countingTool = (name: string, effect: 'read' | 'execute' = 'read') => {
  const execute = vi.fn(async () => ({ content: `${name} ran` }));
  return { ...externalTool({ name, toolset: 'test', effect, inputSchema: { type: 'object' }, execute }), execute };
};

let store: MemoryThreadStore;
let server: PlannedServer;
let registry: ToolRegistry;
let permissions: PermissionSettings;
let pathRules: readonly PathRule[];
let catalogues: Map<string, string>;
let session: ThreadSession;
let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  store = new MemoryThreadStore();
  server = new PlannedServer();
  registry = new ToolRegistry([]);
  permissions = {};
  pathRules = [];
  catalogues = new Map();
  const settings = { model: 'm', toolCalling: 'auto' as const, toolsets: ['test'], systemPrompt: null };
  await store.putThread(threadOf('t', { settings }));
  fileSystem = new MemoryFileSystem();
  session = await openSession();
});

async function openSession(): Promise<ThreadSession> {
  const files = new ThreadFiles({
    fileSystem,
    history: fileSystem.history,
    capabilities: testCapabilities(fileSystem),
    moveLock: soleMoveLock,
    saveEdits: async () => undefined,
  });
  const thread = await store.thread('t');
  if (thread === undefined) throw new Error('There is no thread.');
  return ThreadSession.open(thread, {
    store,
    transport: server,
    createLock: (_, host) => new SoleThreadLock(host),
    loadTools: async () => ({ registry, createToolExecutor, ToolHost, judgeCall }),
    async catalogue() {
      const text = catalogueText(registry.list(), []);
      const name = await sha256(text);
      catalogues.set(name, text);
      return { name };
    },
    evaluatorOf: () => ({ evaluate: async () => ({ console: [] }) }),
    openFiles: async () => files,
    askMove: async () => 'move',
    onUnknownFiles: () => undefined,
    permissions: () => permissions,
    pathRules: () => pathRules,
    policySetAt: () => undefined,
    isKnown: () => undefined,
    remember: async () => undefined,
    async allowAlways({ toolset, effect }) {
      permissions = { [toolset]: { [effect]: 'allow' } };
    },
    defaults: async () => ({ model: 'm', systemPrompt: '' }),
  });
}

/** Resolves when nothing is going on in the thread anymore. */
const settled = () =>
  vi.waitUntil(() => !session.getSnapshot().busy && session.getSnapshot().thread.activity === 'settled');

const asked = (toolCallId: string) => vi.waitUntil(() => session.getSnapshot().asking.includes(toolCallId));

const send = (message: UserMessage) => session.send(message);

const user = (id: string): UserMessage => said(id) as UserMessage;

const lastTurn = async (): Promise<AssistantMessage> => {
  const last = (await store.messages('t')).at(-1)?.message;
  if (last?.role !== 'assistant') throw new Error('The last message is not a turn.');
  return last;
};

const callsIn = (turn: AssistantMessage): ToolCallPart[] => turn.parts.filter((part) => part.type === 'tool-call');

const textIn = (turn: AssistantMessage): string =>
  turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The names of the tools that a request offered. */
const offered = (request: ChatRequest | undefined): string[] =>
  readCatalogue(catalogues.get(request?.catalogue ?? '') ?? '')
    .tools.list()
    .map(({ name }) => name);

describe('a turn', () => {
  test('[R1] [R8] runs a call here, sends its result, and is stored with the answer', async () => {
    const tool = countingTool('look');
    registry.add([tool]);
    server.plan.push({ chunks: calls('c', 'look') }, { chunks: says('I looked.') });
    await send(user('u'));
    await settled();
    expect(tool.execute).toHaveBeenCalledTimes(1);
    expect(server.posts.map(({ action }) => action.type)).toEqual(['turn', 'resume']);
    const turn = await lastTurn();
    expect(callsIn(turn)[0]?.result).toMatchObject({ type: 'tool-result', output: { content: 'look ran' } });
    expect(textIn(turn)).toBe('I looked.');
    expect(turn.status).toEqual({ type: 'done' });
    expect((await store.get('c'))?.result).toMatchObject({ type: 'tool-result' });
  });

  test('[R10] a message sent while the model writes waits, and is answered next', async () => {
    server.plan.push({ chunks: says('Thinking'), ending: 'hang' });
    await send(user('u'));
    await vi.waitUntil(() => server.posts.length === 1);
    await send(user('v'));
    await send(user('w'));
    expect(session.getSnapshot().thread.queued?.parts).toEqual([{ type: 'text', text: 'v\nw' }]);
    await session.sendQueuedNow();
    await settled();
    const texts = (await store.messages('t')).map(({ message }) => message.parts.find((part) => part.type === 'text'));
    expect(texts.map((part) => part?.text)).toEqual(['u', 'Thinking', 'v\nw', 'Done.']);
    expect(session.getSnapshot().thread.queued).toBeUndefined();
  });

  test('[R10] a message that waited for a turn that failed is not sent with another one', async () => {
    server.plan.push({ chunks: says('Thinking'), ending: 'hang' });
    await send(user('u'));
    await vi.waitUntil(() => server.posts.length === 1);
    await send(user('v'));
    await session.stop();
    await settled();
    await send(user('w'));
    await settled();
    const said = async () =>
      (await store.messages('t'))
        .filter(({ message }) => message.role === 'user')
        .map(({ message }) => message.parts.find((part) => part.type === 'text')?.text);
    // Once there is an answer, what was waiting is sent, by itself.
    await vi.waitUntil(async () => (await said()).length === 3);
    expect(await said()).toEqual(['u', 'w', 'v']);
  });

  test('[R12] that failed is retried from its last finished step, with the whole branch', async () => {
    const tool = countingTool('look');
    registry.add([tool]);
    server.plan.push({ chunks: calls('c', 'look') }, { chunks: says('Half'), ending: 'fail' });
    await send(user('u'));
    await settled();
    expect((await lastTurn()).status).toMatchObject({ type: 'failed', problem: { code: 'stream-broken' } });
    await session.retry();
    await settled();
    expect(server.posts.map(({ action }) => action.type)).toEqual(['turn', 'resume', 'replace']);
    const [retried, broken] = (await store.messages('t')).map(({ message }) => message).slice(-2);
    expect(retried?.parts).toMatchObject([
      { type: 'step' },
      { type: 'tool-call' },
      { type: 'step' },
      { text: 'Done.' },
    ]);
    expect(tool.execute).toHaveBeenCalledTimes(1);
    // The words of the step stay as another version.
    expect(broken).toMatchObject({ status: { type: 'failed' }, parts: [{ type: 'step' }, { text: 'Half' }] });
    const { tree, thread } = session.getSnapshot();
    expect(tree.siblings(broken?.id ?? '')).toHaveLength(2);
    expect(tree.leafOf('u', thread.chosen)).toBe(retried?.id);
  });

  test('that failed is retried once, however often that is asked for', async () => {
    server.plan.push({ chunks: says('Half'), ending: 'fail' });
    await send(user('u'));
    await settled();
    await Promise.all([session.retry(), session.retry()]);
    await settled();
    expect(server.posts).toHaveLength(2);
    const turns = (await store.messages('t')).flatMap(({ message }) => (message.role === 'assistant' ? [message] : []));
    expect(turns.map(({ status }) => status.type)).toEqual(['done', 'failed']);
  });

  test.each(['before', 'after'])('is retried, and a message that is sent just %s that is answered', async (order) => {
    server.plan.push({ chunks: says('Half'), ending: 'fail' });
    await send(user('u'));
    await settled();
    const acts = [() => session.retry(), () => send(user('v'))];
    await Promise.all((order === 'after' ? acts : acts.toReversed()).map((act) => act()));
    await vi.waitUntil(() => session.getSnapshot().branch.length === 4 && !session.getSnapshot().busy);
    const { branch } = session.getSnapshot();
    expect(branch.map(({ id, role }) => (role === 'user' ? id : role))).toEqual(['u', 'assistant', 'v', 'assistant']);
    expect(textIn(await lastTurn())).toBe('Done.');
  });

  test('that failed before it said anything is retried in its place', async () => {
    server.plan.push({ chunks: [], ending: 'fail' });
    await send(user('u'));
    await settled();
    const failed = await lastTurn();
    await session.retry();
    await settled();
    expect(textIn(await lastTurn())).toBe('Done.');
    expect(session.getSnapshot().tree.siblings(failed.id)).toHaveLength(1);
  });

  test('answered again is a sibling; the first answer stays', async () => {
    await send(user('u'));
    await settled();
    const first = await lastTurn();
    server.plan.push({ chunks: says('Another one.') });
    await session.regenerate(first.id);
    await settled();
    expect(textIn(await lastTurn())).toBe('Another one.');
    expect(session.getSnapshot().tree.siblings(first.id)).toHaveLength(2);
  });
});

describe('a turn that could not be stored', () => {
  /** Lets the store refuse all states of turns with parts that are longer. */
  const limit = (length: number) => {
    const isTooLarge = (nodes: readonly { message: object }[]) =>
      nodes.some(({ message }) => 'status' in message && JSON.stringify(message).length > length);
    for (const method of ['putMessages', 'appendMessages'] as const) {
      const original = store[method].bind(store) as (...args: unknown[]) => Promise<never>;
      vi.spyOn(store, method).mockImplementation(async (...args: unknown[]) => {
        if (isTooLarge(args[1] as never)) throw new StorageError('full', undefined);
        return original(...args);
      });
    }
  };
  const stored = async () => (await store.messages('t')).map(({ message }) => message);

  test.each([
    ['in whole, where it fits now', 10_000, 1],
    ['without its calls, where it does not fit', 2_000, 0],
  ])('is stored with the next message: %s', async (_, length, callCount) => {
    const tool = countingTool('look');
    registry.add([tool]);
    server.plan.push({ chunks: [...says('Here it is. '), ...calls('c', 'look', { note: 'x'.repeat(3_000) })] });
    limit(1_500);
    await send(user('u'));
    await settled();
    expect((await stored()).at(-1)).toMatchObject({ status: { type: 'running' } });
    expect(session.getSnapshot().branch.at(-1)).toMatchObject({ status: { problem: { code: 'storage-full' } } });
    vi.restoreAllMocks();
    limit(length);
    await send(user('v'));
    await settled();
    await vi.waitFor(async () => expect((await stored())[1]).toMatchObject({ status: { type: 'failed' } }));
    const [, first] = await stored();
    expect(textIn(first as AssistantMessage)).toBe('Here it is. Done.');
    expect(callsIn(first as AssistantMessage)).toHaveLength(callCount);
    vi.restoreAllMocks();
  });

  test('although the conversation went on, ends as interrupted when the thread is opened', async () => {
    await send(user('u'));
    await settled();
    await send(user('v'));
    await settled();
    await session.close();
    const [first] = (await store.messages('t')).slice(1);
    const running = { ...(first?.message as AssistantMessage), parts: [], status: { type: 'running', runId: 'r' } };
    await store.putMessages(
      't',
      [{ message: running as AssistantMessage, parentId: 'u' }],
      (await store.thread('t'))?.actor,
    );
    session = await openSession();
    await vi.waitUntil(async () => ((await stored())[1] as AssistantMessage).status.type === 'failed');
  });
});

describe('a call that needs permission', () => {
  let tool: ReturnType<typeof countingTool>;

  beforeEach(() => {
    tool = countingTool('launch', 'execute');
    registry.add([tool]);
    server.plan.push({ chunks: calls('c', 'launch') }, { chunks: calls('d', 'launch') });
  });

  const answer = (toolCallId: string, given: ApprovalAnswer) => session.answer(toolCallId, given);

  test('does not run before the user allows it, and is asked about again the next time', async () => {
    await send(user('u'));
    await asked('c');
    expect(tool.execute).not.toHaveBeenCalled();
    await answer('c', { type: 'allow', scope: 'once' });
    await asked('d');
    expect(tool.execute).toHaveBeenCalledTimes(1);
    await answer('d', { type: 'allow', scope: 'once' });
    await settled();
    expect(tool.execute).toHaveBeenCalledTimes(2);
    expect(session.getSnapshot().thread.grants).toEqual([]);
  });

  test('allowed for the thread, is not asked about again, and the thread remembers', async () => {
    await send(user('u'));
    await asked('c');
    await answer('c', { type: 'allow', scope: 'thread' });
    await settled();
    expect(tool.execute).toHaveBeenCalledTimes(2);
    expect((await store.thread('t'))?.grants).toEqual(['test/launch']);
  });

  test('allowed always, changes the setting instead', async () => {
    await send(user('u'));
    await asked('c');
    await answer('c', { type: 'allow', scope: 'always' });
    await settled();
    expect(permissions).toEqual({ test: { execute: 'allow' } });
    expect((await store.thread('t'))?.grants).toEqual([]);
  });

  test('denied, does not run, and the model gets the reason', async () => {
    await send(user('u'));
    await asked('c');
    await answer('c', { type: 'deny', reason: 'Not today.' });
    await asked('d');
    await session.stop();
    expect(tool.execute).not.toHaveBeenCalled();
    const [first] = callsIn(await lastTurn());
    expect(first?.result).toMatchObject({
      type: 'tool-error',
      code: 'denied',
      message: expect.stringContaining('Not today.'),
    });
  });

  test('uses an answer that was given before it asked', async () => {
    await answer('c', { type: 'allow', scope: 'thread' });
    await send(user('u'));
    await settled();
    expect(tool.execute).toHaveBeenCalledTimes(2);
  });

  test('[R1] [R10] stopped while it asks, has a result, and the turn is stopped', async () => {
    await send(user('u'));
    await asked('c');
    await session.stop();
    const turn = await lastTurn();
    expect(turn.status).toEqual({ type: 'stopped' });
    expect(callsIn(turn)[0]?.result).toMatchObject({ type: 'tool-error', code: 'aborted' });
    expect(tool.execute).not.toHaveBeenCalled();
  });

  test('[R10] stopped and then closed, is settled before the session is closed', async () => {
    await send(user('u'));
    await asked('c');
    const isSlow = Promise.withResolvers<void>();
    const { updateThread } = store;
    const saving = vi.spyOn(store, 'updateThread').mockImplementation(async (...args) => {
      await isSlow.promise;
      return updateThread.apply(store, args);
    });
    const ends: string[] = [];
    const stopped = session.stop().then(() => ends.push('stopped'));
    await vi.waitFor(() => expect(saving).toHaveBeenCalled());
    const closed = session.close().then(() => ends.push('closed'));
    await setImmediate();
    isSlow.resolve();
    await Promise.all([stopped, closed]);
    expect(ends).toEqual(['stopped', 'closed']);
  });

  test('[R13] asks again after the page was closed', async () => {
    await send(user('u'));
    await asked('c');
    await session.close();
    session = await openSession();
    await asked('c');
    await answer('c', { type: 'allow', scope: 'thread' });
    await settled();
    expect(tool.execute).toHaveBeenCalledTimes(2);
  });
});

test('calls that run in parallel each say how far they are', async () => {
  await session.close();
  const gate = Promise.withResolvers<void>();
  const slow = defineTool({
    name: 'slow_read',
    description: 'Reads slowly.',
    toolset: 'test',
    effect: 'read',
    inputSchema: z.object({ done: z.number().describe('How much is done.') }),
    async execute({ done }, { report }) {
      report({ done });
      await gate.promise;
      return { content: 'Read.' };
    },
  });
  registry = new ToolRegistry([slow]);
  session = await openSession();
  const both = [...calls('c', 'slow_read', { done: 1 }), ...calls('d', 'slow_read', { done: 2 })];
  server.plan.push({ chunks: both }, { chunks: says('Done.') });
  await send(user('u'));
  await vi.waitUntil(() => session.getSnapshot().progress.has('d'));
  expect(Object.fromEntries(session.getSnapshot().progress)).toEqual({ c: { done: 1 }, d: { done: 2 } });
  gate.resolve();
  await settled();
});

describe('code that may run', () => {
  const remote = defineTool({
    name: 'remote_act',
    description: 'Acts elsewhere.',
    toolset: 'mcp-remote',
    effect: 'execute',
    inputSchema: z.object({}),
    execute: async () => ({ content: 'Acted.' }),
  });
  const code = defineTool({
    name: 'run_code',
    description: 'Runs code.',
    toolset: 'files',
    effect: 'execute',
    inputSchema: z.object({}),
    execute: async (_, { callTool }) => ({ content: resultText(await callTool('remote_act', {})) }),
  });

  test('still asks for each tool of a server that it calls', async () => {
    await session.close();
    registry = new ToolRegistry([remote, code]);
    const settings = {
      model: 'm',
      toolCalling: 'auto' as const,
      toolsets: ['files', 'mcp-remote'],
      systemPrompt: null,
    };
    await store.putThread(threadOf('t', { settings }));
    session = await openSession();
    server.plan.push({ chunks: calls('c', 'run_code', {}) }, { chunks: says('Done.') });
    await send(user('u'));
    await asked('c');
    await session.answer('c', { type: 'allow', scope: 'once' });
    await vi.waitUntil(() => session.getSnapshot().innerCalls.get('c')?.toolName === 'remote_act');
    await session.answer('c', { type: 'deny', reason: 'Not that.' });
    await settled();
    const [call] = callsIn(await lastTurn());
    expect(call?.result).toMatchObject({ output: { content: expect.stringContaining('Not that.') } });
  });
});

describe('a rule that asks about a path', () => {
  const asks: PathRule = { pattern: '.env', effects: ['read', 'write'], policy: 'ask' };
  /** A tool that reads the paths that it is given, one after the other, each by an inner call. */
  const readsWithin = defineTool({
    name: 'read_all',
    description: 'Reads files.',
    toolset: 'test',
    effect: 'execute',
    inputSchema: z.object({ paths: z.array(z.string()).describe('Paths.') }),
    async execute({ paths }, { callTool }) {
      const results = [];
      for (const path of paths) results.push(resultText(await callTool('read_file', { path })));
      return { content: results.join(',') };
    },
  });
  const once = { type: 'allow', scope: 'once' } as const;

  beforeEach(async () => {
    await session.close();
    registry = new ToolRegistry([readFile, readsWithin]);
    const settings = { model: 'm', toolCalling: 'auto' as const, toolsets: ['test', 'files'], systemPrompt: null };
    await store.putThread(threadOf('t', { settings }));
    await writeText(fileSystem, '/.env', 'KEY');
    await writeText(fileSystem, '/b/.env', 'OTHER');
    pathRules = [asks];
    session = await openSession();
  });

  test('asks each time, and an answer for the thread or for always does not last', async () => {
    for (const [id, scope] of [
      ['c', 'thread'],
      ['d', 'always'],
      ['e', 'once'],
    ] as const) {
      server.plan.push({ chunks: calls(id, 'read_file', { path: '/.env' }) }, { chunks: says('Done.') });
      await send(user(`u-${id}`));
      await asked(id);
      expect(session.askedPaths({ toolName: 'read_file', input: { path: '/.env' } })).toMatchObject([
        { path: '/.env' },
      ]);
      await session.answer(id, { type: 'allow', scope });
      await settled();
      expect(callsIn(await lastTurn())[0]?.result).toMatchObject({ output: { content: 'KEY' } });
    }
    expect(session.getSnapshot().thread.grants).toEqual([]);
    expect(permissions).toEqual({});
  });

  test('asks within a call that may run, once for each path', async () => {
    server.plan.push({ chunks: calls('c', 'read_all', { paths: ['/.env', '/.env', '/b/.env'] }) });
    await send(user('u'));
    const inner = () => session.getSnapshot().innerCalls.get('c')?.input;
    await asked('c');
    await session.answer('c', once);
    await vi.waitUntil(() => inner() !== undefined);
    expect(inner()).toEqual({ path: '/.env' });
    await session.answer('c', once);
    await vi.waitUntil(() => JSON.stringify(inner()) === JSON.stringify({ path: '/b/.env' }));
    await session.answer('c', { type: 'deny', reason: 'Not that.' });
    await settled();
    const [call] = callsIn(await lastTurn());
    expect(call?.result).toMatchObject({ output: { content: expect.stringMatching(/^KEY,KEY,.*Not that\.$/) } });
  });

  test('is in force at once, for the next call', async () => {
    pathRules = [];
    server.plan.push({ chunks: calls('c', 'read_file', { path: '/.env' }) }, { chunks: says('Done.') });
    await send(user('u'));
    await settled();
    pathRules = [{ ...asks, policy: 'deny' }];
    server.plan.push({ chunks: calls('d', 'read_file', { path: '/.env' }) }, { chunks: says('Done.') });
    await send(user('v'));
    await settled();
    expect(callsIn(await lastTurn())[0]?.result).toMatchObject({ type: 'tool-error', code: 'denied' });
  });
});

describe('tools that come and go', () => {
  test('the next step offers a tool that was added during the turn, and runs its call', async () => {
    const [look, find] = [countingTool('look'), countingTool('find')];
    look.execute.mockImplementation(async () => {
      registry.add([find]);
      return { content: 'look ran' };
    });
    registry.add([look]);
    server.plan.push({ chunks: calls('c', 'look') }, { chunks: calls('d', 'find') });
    await send(user('u'));
    await settled();
    expect(server.posts.map(offered)).toEqual([['look'], ['look', 'find'], ['look', 'find']]);
    expect(find.execute).toHaveBeenCalledTimes(1);
  });

  test('a call of a tool that has gone gets `no-such-tool`, and the turn goes on without it', async () => {
    const look = countingTool('look');
    const remove = registry.add([look]);
    server.plan.push({ chunks: calls('c', 'look') }, { chunks: calls('d', 'look') });
    look.execute.mockImplementation(async () => {
      remove();
      return { content: 'look ran' };
    });
    await send(user('u'));
    await settled();
    expect(look.execute).toHaveBeenCalledTimes(1);
    expect(server.posts.map(offered)).toEqual([['look'], [], []]);
    const turn = await lastTurn();
    expect(callsIn(turn)[1]?.result).toMatchObject({ type: 'tool-error', code: 'no-such-tool' });
    expect(turn.status).toEqual({ type: 'done' });
  });
});

describe('a conversation that is summarized', () => {
  const sizes = { system: 1, tools: 1, protocol: 1, summary: 1, history: 1, files: 1, results: 1 };
  /** The chunk that a server sends before a step that follows a summary. */
  const compaction = (id: string, messageId: string, more: { asked?: true; hasFiles?: true } = {}): StudioChunk => ({
    type: 'data-compaction',
    data: {
      id,
      stubs: [],
      roomTokens: 10,
      before: sizes,
      after: sizes,
      ...(more.asked === true && { asked: true }),
      summary: {
        text: 'S',
        from: { messageId, part: 0 },
        messageChars: 10,
        saidTokens: 100,
        model: 'm',
        provider: 'p',
        ...(more.hasFiles === true && { hasFiles: true }),
      },
    },
  });
  const compactions = (turn: AssistantMessage) => turn.parts.filter((part) => part.type === 'compaction');

  test('because the person asked for it: the next request says so, and no later one', async () => {
    await session.compactNext(true);
    server.plan.push({ before: [compaction('c', 'u', { asked: true })], chunks: says('Yes.') });
    await send(user('u'));
    await settled();
    await send(user('v'));
    await settled();
    expect(server.posts.map((request) => request.compaction)).toEqual([{ now: true }, undefined]);
    expect(session.getSnapshot().thread.compactsNext).toBeUndefined();
  });

  test('stays asked for as long as no run has got that far, also after a reload', async () => {
    await session.compactNext(true);
    server.plan.push({ chunks: says('Half'), ending: 'fail' });
    await send(user('u'));
    await settled();
    await session.close();
    session = await openSession();
    server.plan.push({ before: [compaction('c', 'u', { asked: true })], chunks: says('Yes.') });
    await session.retry();
    await settled();
    expect(server.posts.map((request) => request.compaction)).toEqual([{ now: true }, { now: true }]);
    expect(session.getSnapshot().thread.compactsNext).toBeUndefined();
  });

  test('keeps the summary of a step that failed, and sends it along', async () => {
    server.plan.push({ before: [compaction('c', 'u')], chunks: says('Half'), ending: 'fail' });
    await send(user('u'));
    await settled();
    await session.retry();
    await settled();
    const [, retry] = server.posts;
    const sent = retry?.action.type === 'replace' ? retry.action.messages.at(-1) : undefined;
    expect(sent?.role === 'assistant' && compactions(sent)).toMatchObject([{ id: 'c' }]);
    const retried = session.getSnapshot().branch.at(-1);
    expect(retried?.role === 'assistant' && compactions(retried)).toHaveLength(1);
  });

  test('can be undone and done again: the branch is sent, once', async () => {
    server.plan.push({ before: [compaction('c', 'u')], chunks: says('Yes.') });
    await send(user('u'));
    await settled();
    await session.undoCompaction('c', true);
    expect(compactions(await lastTurn())).toMatchObject([{ undone: true }]);
    await session.close();
    session = await openSession();
    for (const id of ['v', 'w']) {
      await send(user(id));
      await settled();
    }
    expect(server.posts.map(({ action }) => action.type)).toEqual(['turn', 'replace', 'turn']);
    const turn = session.getSnapshot().branch[1];
    await session.undoCompaction('c', false);
    expect(turn?.role === 'assistant' && compactions(turn)).toMatchObject([{ undone: true }]);
    const again = session.getSnapshot().branch[1];
    expect(again?.role === 'assistant' && compactions(again)[0]).not.toHaveProperty('undone');
  });

  test('has its long messages as files before the next call runs, and no file that the model has changed is replaced', async () => {
    registry.add([countingTool('look')]);
    const long: UserMessage = { ...user('u'), parts: [{ type: 'text', text: 'a long message of the person' }] };
    server.plan.push({ chunks: says('Yes.') });
    await send(long);
    await settled();
    server.plan.push({ before: [compaction('c', 'v', { hasFiles: true })], chunks: calls('c1', 'look') });
    server.plan.push({ chunks: calls('c2', 'look') });
    await send(user('v'));
    await settled();
    const path = '/.roundtrip/messages/1-u.txt';
    expect(new TextDecoder().decode(await fileSystem.readFile(path))).toBe('a long message of the person');
    await fileSystem.transaction({ type: 'person' }, async (tx) =>
      tx.writeFile(path, new TextEncoder().encode('mine')),
    );
    server.plan.push({ chunks: calls('c3', 'look') });
    await send(user('w'));
    await settled();
    expect(new TextDecoder().decode(await fileSystem.readFile(path))).toBe('mine');
  });
});

describe('a move of the files that is marked as not done', () => {
  const write = (content: string) => writeText(fileSystem, '/a.txt', content);
  const text = async () => new TextDecoder().decode(await fileSystem.readFile('/a.txt'));

  beforeEach(async () => {
    await session.close();
    await write('first');
  });

  test.each(['second', 'third'])('is done when the thread is opened, unless files were changed: "%s"', async (last) => {
    const movingTo = fileSystem.history.sequence;
    await write('second');
    const movingFrom = fileSystem.history.sequence;
    if (last === 'third') await write(last);
    await store.updateThread('t', (stored) => ({ ...stored, movingTo, movingFrom }));
    session = await openSession();
    await vi.waitUntil(async () => (await store.thread('t'))?.movingTo === undefined);
    expect(await text()).toBe(last === 'third' ? 'third' : 'first');
  });
});
