import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { finishedStep } from '#lib/agent/test/messages.ts';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { NAMED_MESSAGES_MAX, nameThread } from './titles.ts';

const question: UserMessage = { id: 'q', createdAt: 0, role: 'user', parts: [{ type: 'text', text: 'Bread?' }] };
const answer: AssistantMessage = {
  id: 'a',
  createdAt: 0,
  role: 'assistant',
  status: { type: 'done' },
  parts: [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Flour.' },
  ],
};

const thread: Thread = {
  id: 't',
  title: 'Bread?',
  titledBy: 'studio',
  createdAt: 0,
  updatedAt: 0,
  headId: 'a',
  chosen: {},
  settings: { model: null, toolCalling: 'auto', toolsets: [], systemPrompt: null },
  grants: [],
  grantedAt: {},
  activity: 'settled',
  workspaceId: 'w',
  checkpoints: {},
  heads: {},
};

let store: MemoryThreadStore;
const request = vi.fn<typeof fetch>();

beforeEach(() => {
  store = new MemoryThreadStore();
  request.mockReset();
  request.mockImplementation(async () => Response.json({ title: 'Baking bread' }));
  vi.stubGlobal('fetch', request);
});

afterEach(() => vi.unstubAllGlobals());

/** The answer, by a model. */
const answeredBy = (model: string): AssistantMessage => ({
  ...answer,
  parts: [finishedStep('p', { model }), ...answer.parts],
});

/** More messages, which follow each other. */
const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => ({ ...(n % 2 === 0 ? question : answer), id: `more${n}` }));

/** Stores a thread with these messages, lets it be named, and returns it. `model`: the one that names threads. */
async function end(
  changes: Partial<Thread> = {},
  more: Message[] = [],
  model: string | null = 'p/m',
  first: AssistantMessage = answer,
): Promise<Thread> {
  const messages = [question, first, ...more].map((message, index, all) => ({
    message,
    parentId: all[index - 1]?.id ?? null,
  }));
  await store.addThread({ thread: { ...thread, headId: messages.at(-1)?.message.id ?? null, ...changes }, messages });
  const modelOf = async () =>
    ({ personal: { provider: 'local', model: 'm', toolCalling: 'auto' }, key: 'secret' }) as const;
  const isNamer = (id: string) => id !== 'demo';
  const options = { store, connections: { modelOf }, model, isNamer, signal: AbortSignal.timeout(60_000) };
  await nameThread('t', options).catch(() => undefined);
  return (await store.thread('t')) as Thread;
}

describe('threads that a model names', () => {
  test('get their title after the first answer, from the person’s own connection', async () => {
    expect(await end()).toMatchObject({ title: 'Baking bread', titledBy: 'model' });
    const [url, init] = request.mock.calls[0] ?? [];
    expect(url).toBe('/api/title');
    expect(JSON.parse(String(init?.body))).toEqual({
      model: 'p/m',
      personal: { provider: 'local', model: 'm', toolCalling: 'auto' },
      question: 'Bread?',
      answer: 'Flour.',
    });
    expect(new Headers(init?.headers).get('x-roundtrip-key')).toBe('secret');
  });

  test('are left alone if a person named them, and after many answers', async () => {
    expect((await end({ title: 'Mine', titledBy: 'person' })).title).toBe('Mine');
    store = new MemoryThreadStore();
    expect((await end({}, turns(NAMED_MESSAGES_MAX))).title).toBe('Bread?');
    expect(request).not.toHaveBeenCalled();
  });

  test('get a title that was not made in time after a later answer', async () => {
    expect((await end({}, turns(NAMED_MESSAGES_MAX - 2))).title).toBe('Baking bread');
  });

  test('are named by the model that answered, unless that is the demo', async () => {
    expect((await end({}, [], null, answeredBy('p/own'))).title).toBe('Baking bread');
    expect(JSON.parse(String(request.mock.calls[0]?.[1]?.body))).toMatchObject({ model: 'p/own' });
    store = new MemoryThreadStore();
    expect((await end({}, [], null, answeredBy('demo'))).title).toBe('Bread?');
    expect(request).toHaveBeenCalledOnce();
  });

  test('keep a name that a person gives meanwhile, and their first words if the model fails', async () => {
    request.mockImplementationOnce(async () => {
      await store.updateThread('t', (stored) => ({ ...stored, title: 'Mine', titledBy: 'person' }));
      return Response.json({ title: 'Baking bread' });
    });
    expect(await end()).toMatchObject({ title: 'Mine', titledBy: 'person' });
    store = new MemoryThreadStore();
    request.mockImplementationOnce(async () => Response.json({}, { status: 502 }));
    expect(await end()).toMatchObject({ title: 'Bread?', titledBy: 'studio' });
  });
});
