import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AssistantMessage, AssistantPart } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { MessageTree } from './message-tree.ts';
import { said, threadOf } from './test/store-contract.ts';
import { ThreadRecord } from './thread-record.ts';
import { StorageError } from './thread-store.ts';

const RESULT = {
  type: 'tool-result',
  toolCallId: 'c1',
  toolName: 'look',
  output: { content: 'Seen.' },
} as unknown as ToolResult;

const text = (value: string): AssistantPart => ({ type: 'text', text: value });

const call = (toolCallId: string, input: object, result?: ToolResult) =>
  ({ type: 'tool-call', toolCallId, toolName: 'look', input, ...(result && { result }) }) as unknown as AssistantPart;

const turnOf = (id: string, parts: readonly AssistantPart[], type: 'running' | 'failed' = 'running') =>
  ({
    id,
    role: 'assistant',
    createdAt: 1,
    parts,
    status: type === 'running' ? { type, runId: 'r' } : { type, problem: { code: 'storage-full', detail: '' } },
  }) as AssistantMessage;

const LARGE = 'x'.repeat(3_000);

let store: MemoryThreadStore;
let record: ThreadRecord;
/** The characters for which the store has room, in one message. */
let room: number;

beforeEach(async () => {
  store = new MemoryThreadStore();
  room = Number.POSITIVE_INFINITY;
  const put = store.putMessages.bind(store);
  vi.spyOn(store, 'putMessages').mockImplementation(async (threadId, nodes, actor) => {
    if (JSON.stringify(nodes).length > room) throw new StorageError('full', undefined);
    return put(threadId, nodes, actor);
  });
  await store.putThread(threadOf('t', {}));
  const thread = await store.thread('t');
  if (thread === undefined) throw new Error('There is no thread.');
  record = new ThreadRecord(thread, new MessageTree([]), { store, maySave: () => true, askedElsewhere: () => [] });
  await record.takeOver();
  await record.append([{ message: said('u'), parentId: null }]);
});

const append = (id: string, parentId: string) => record.append([{ message: said(id), parentId }]);

const stored = async (id: string) => {
  const found = (await store.messages('t')).find(({ message }) => message.id === id)?.message;
  if (found?.role !== 'assistant') throw new Error('There is no such turn.');
  return found;
};

const types = ({ parts }: AssistantMessage) => parts.map(({ type }) => type);

describe('a turn that could not be stored', () => {
  const early = turnOf('a', [text('One.'), call('c1', {}, RESULT)]);
  const whole = turnOf('a', [...early.parts, text('Two.'), call('c2', { LARGE })], 'failed');

  beforeEach(async () => {
    await record.append([{ message: early, parentId: 'u' }]);
    room = 1_500;
    await expect(record.saveTurn(whole)).rejects.toThrow(StorageError);
  });

  test('keeps what was stored of it, gets its text and its end, and all of it once there is room', async () => {
    await append('v', 'a');
    await vi.waitFor(async () => expect((await stored('a')).status.type).toBe('failed'));
    expect(types(await stored('a'))).toEqual(['text', 'tool-call', 'text']);
    expect((await stored('a')).parts[1]).toEqual(early.parts[1]);
    room = Number.POSITIVE_INFINITY;
    await append('w', 'v');
    await vi.waitFor(async () => expect(await stored('a')).toEqual(whole));
  });

  test('is not forgotten while another one is stored', async () => {
    room = Number.POSITIVE_INFINITY;
    await record.saveTurn(turnOf('b', [text('Another.')]));
    await append('v', 'a');
    await vi.waitFor(async () => expect(await stored('a')).toEqual(whole));
  });

  test('is left to the tab that has taken the thread over', async () => {
    await store.updateThread('t', (thread) => ({ ...thread, actor: 'other' }));
    await store.putMessages('t', [{ message: early, parentId: 'u' }], 'other');
    room = Number.POSITIVE_INFINITY;
    await append('v', 'a');
    await record.flush();
    expect(await stored('a')).toEqual(early);
  });

  test('takes the place of no newer state that is stored meanwhile', async () => {
    const newer = turnOf('a', [...whole.parts, text('Three.')], 'failed');
    const messages = store.messages.bind(store);
    vi.spyOn(store, 'messages').mockImplementationOnce(async (threadId) => {
      const found = await messages(threadId);
      room = Number.POSITIVE_INFINITY;
      await record.saveTurn(newer);
      return found;
    });
    await append('v', 'a');
    await vi.waitFor(() => expect(store.messages).toHaveBeenCalled());
    await record.flush();
    await vi.waitFor(async () => expect(await stored('a')).toEqual(newer));
    await record.flush();
    expect(await stored('a')).toEqual(newer);
  });

  test('keeps no message from being stored, however long it is', async () => {
    record.setTurn(turnOf('a', [text(LARGE)], 'failed'));
    await append('v', 'a');
    expect((await store.messages('t')).at(-1)?.message.id).toBe('v');
  });
});

test('an earlier turn that was not finished ends with the results that its calls have', async () => {
  const turn = turnOf('a', [call('c1', {}), call('c2', {})]);
  await record.append([{ message: turn, parentId: 'u' }]);
  await append('v', 'a');
  await store.claim({ toolCallId: 'c1', claimant: 'm', threadId: 't' } as never, undefined);
  await store.finish(RESULT, 'm');
  await record.settleEarlier();
  const settled = await stored('a');
  expect(settled.status).toMatchObject({ type: 'failed', problem: { code: 'interrupted' } });
  expect(settled.parts).toMatchObject([{ result: RESULT }, { result: { type: 'tool-error', code: 'interrupted' } }]);
});
