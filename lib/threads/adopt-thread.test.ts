import { describe, expect, test } from 'vitest';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, CompactionPart, Message } from '#lib/messages/message.ts';
import { idsOf, leftOutOf, settleThread, type WholeThread, withFreeIds } from './adopt-thread.ts';
import type { Thread } from './thread.ts';

const thread = (change: Partial<Thread> = {}): Thread => ({
  id: 't',
  title: 'T',
  titledBy: 'studio',
  createdAt: 1,
  updatedAt: 1,
  headId: 'a',
  chosen: {},
  settings: { model: null, toolCalling: 'auto', toolsets: ['files'], systemPrompt: null },
  grants: [],
  grantedAt: {},
  activity: 'settled',
  workspaceId: 'w',
  checkpoints: {},
  heads: {},
  ...change,
});

const said = (id: string): Message => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text: `said ${id}` }],
});

const turn = (id: string, change: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id,
  role: 'assistant',
  createdAt: 1,
  parts: [],
  status: { type: 'done' },
  ...change,
});

const call = (toolCallId: string) =>
  ({ type: 'tool-call', toolCallId, toolName: 'write_file', inputState: 'complete', input: {} }) as const;

const whole = (turnOf: AssistantMessage, change: Partial<Thread> = {}): WholeThread => ({
  thread: thread(change),
  messages: [
    { message: said('q'), parentId: null },
    { message: turnOf, parentId: 'q' },
  ],
});

const headOf = ({ thread: { headId }, messages }: WholeThread): AssistantMessage => {
  const head = messages.find(({ message }) => message.id === headId)?.message;
  if (head?.role !== 'assistant') throw new Error('The head is not a turn.');
  return head;
};

describe('a thread from a file does nothing by itself', () => {
  test.each([
    ['running', { type: 'running', runId: 'r' }],
    ['waiting', { type: 'waiting' }],
  ] as const)('a turn that was %s ends as interrupted, its pending calls too', (_, status) => {
    const settled = headOf(settleThread(whole(turn('a', { status, revision: 'x', parts: [call('c')] }))));
    expect(settled.status).toMatchObject({ type: 'failed', problem: { code: 'interrupted' } });
    expect(pendingCalls(settled)).toEqual([]);
    expect(settled.parts[0]).toMatchObject({ result: { type: 'tool-error', code: 'interrupted', toolCallId: 'c' } });
    expect(settled.revision).toBeUndefined();
  });

  test('a call without a result in a finished turn gets one', () => {
    expect(pendingCalls(headOf(settleThread(whole(turn('a', { parts: [call('c')] })))))).toEqual([]);
  });

  test('turns on other branches are settled, too', () => {
    const { thread: kept, messages } = whole(turn('a'));
    const other = { message: turn('b', { status: { type: 'waiting' }, parts: [call('c')] }), parentId: 'q' };
    const settled = settleThread({ thread: kept, messages: [...messages, other] });
    expect(settled.messages.at(-1)?.message).toMatchObject({ status: { type: 'failed' } });
  });

  test('a message without an answer on another branch gets a turn, too, so that nothing starts when it is opened', () => {
    const { messages } = settleThread({
      thread: thread({ headId: 'a' }),
      messages: [...whole(turn('a')).messages, { message: said('elsewhere'), parentId: null }],
    });
    const leaves = messages.filter(({ message }) => !messages.some(({ parentId }) => parentId === message.id));
    expect(leaves.map(({ message, parentId }) => [message.role, parentId])).toEqual([
      ['assistant', 'q'],
      ['assistant', 'elsewhere'],
    ]);
  });

  test('what is said to come from a provider is dropped, except for reasoning', () => {
    const providerMetadata = { local: { kept: true } };
    const settled = settleThread(
      whole(
        turn('a', {
          parts: [
            { type: 'reasoning', text: 'thought', providerMetadata },
            { type: 'text', text: '<|im_start|>system', providerMetadata },
            { ...call('c'), providerMetadata },
          ],
        }),
        { headId: 'a' },
      ),
    );
    expect(headOf(settled).parts.map((part) => 'providerMetadata' in part)).toEqual([true, false, false]);
  });

  test('a message without an answer gets a turn that can be retried', () => {
    const settled = settleThread({
      thread: thread({ headId: 'q' }),
      messages: [{ message: said('q'), parentId: null }],
    });
    expect(headOf(settled).status).toMatchObject({ type: 'failed', problem: { code: 'interrupted' } });
    expect(settled.messages.at(-1)?.parentId).toBe('q');
  });

  test('a head that does not exist is replaced with the last message', () => {
    expect(settleThread(whole(turn('a'), { headId: 'nowhere' })).thread.headId).toBe('a');
    expect(settleThread({ thread: thread({ headId: 'nowhere' }), messages: [] }).thread.headId).toBeNull();
  });

  test('grants, queue, moves, deletions, checkpoints and activity are dropped and counted', () => {
    const foreign = whole(turn('a', { status: { type: 'waiting' } }), {
      grants: ['execute_bash', 'browser_js_eval'],
      queued: said('later') as Thread['queued'],
      movingTo: 3,
      movingFrom: 4,
      deletedAt: 1,
      deletesWorkspace: true,
      activity: 'asking',
      checkpoints: { a: 1 },
      heads: { a: 1 },
    });
    const { thread: kept } = settleThread(foreign);
    expect(kept).toEqual({ ...thread(), headId: 'a' });
    expect(leftOutOf(foreign)).toEqual({ unfinished: 1, grants: 2, queued: 1 });
  });

  test('if two messages have the same id, the last one counts', () => {
    const { thread: kept, messages } = whole(turn('a'));
    const settled = settleThread({ thread: kept, messages: [...messages, { message: said('q'), parentId: 'a' }] });
    expect(settled.messages.map(({ message }) => message.id)).toEqual(['q', 'a']);
  });
});

describe('ids', () => {
  const foreign = whole(
    turn('a', {
      parts: [
        {
          ...call('c'),
          result: { type: 'tool-result', toolCallId: 'c', toolName: 'write_file', output: { content: '' } },
        },
      ],
    }),
    { chosen: { q: 'a' } },
  );

  test('that are free are kept', () => {
    expect(withFreeIds(foreign, new Set())).toEqual(foreign);
  });

  test.each(['t', 'q', 'a', 'c'])('that are taken are replaced everywhere (%s)', (id) => {
    const adopted = withFreeIds(foreign, new Set([id]));
    expect(idsOf(adopted)).not.toContain(id);
    expect(JSON.stringify(adopted)).not.toContain(`"${id}"`);
    expect(idsOf(adopted).filter((own) => !idsOf(foreign).includes(own))).toHaveLength(1);
    expect(adopted.messages[1]?.parentId).toBe(adopted.messages[0]?.message.id);
    expect(adopted.thread.headId).toBe(adopted.messages[1]?.message.id);
  });

  test('are not shared by two threads from one file', () => {
    const taken = new Set<string>();
    const first = withFreeIds(foreign, taken);
    const second = withFreeIds(foreign, taken);
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
  });

  test('are replaced in what a summary names', () => {
    const sizes = { system: 1, tools: 1, protocol: 1, summary: 1, history: 1, files: 1, results: 1 };
    const summary = { text: 'S', messageChars: 1, saidTokens: 1, model: 'm', provider: 'p' };
    const turn = foreign.messages[1]?.message as AssistantMessage;
    const compaction: CompactionPart = {
      type: 'compaction',
      id: 'x',
      stubs: ['c'],
      roomTokens: 1,
      before: sizes,
      after: sizes,
      summary: { ...summary, from: { messageId: 'q', part: 0 } },
    };
    const whole: WholeThread = {
      ...foreign,
      messages: [
        ...foreign.messages.slice(0, 1),
        { parentId: 'q', message: { ...turn, parts: [...turn.parts, compaction] } },
      ],
    };
    const adopted = withFreeIds(whole, new Set(['q', 'c']));
    const [question, answer] = adopted.messages.map(({ message }) => message);
    const call = answer?.parts.find((part) => part.type === 'tool-call');
    expect(answer?.parts.at(-1)).toMatchObject({
      stubs: [call?.toolCallId],
      summary: { from: { messageId: question?.id } },
    });
    expect(JSON.stringify(adopted)).not.toMatch(/"[qc]"/);
  });
});
