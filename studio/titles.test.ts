import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { nameThread } from './titles.ts';

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

async function end(changes: Partial<Thread> = {}, more: Message[] = []): Promise<Thread> {
  const messages = [question, answer, ...more].map((message, index, all) => ({
    message,
    parentId: all[index - 1]?.id ?? null,
  }));
  await store.addThread({ thread: { ...thread, headId: messages.at(-1)?.message.id ?? null, ...changes }, messages });
  const modelOf = async () =>
    ({ personal: { provider: 'local', model: 'm', toolCalling: 'auto' }, key: 'secret' }) as const;
  await nameThread('t', { store, connections: { modelOf }, model: 'p/m' }).catch(() => undefined);
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

  test('are left alone if a person named them, and after later answers', async () => {
    expect((await end({ title: 'Mine', titledBy: 'person' })).title).toBe('Mine');
    store = new MemoryThreadStore();
    expect(
      (
        await end({}, [
          { ...question, id: 'q2' },
          { ...answer, id: 'a2' },
        ])
      ).title,
    ).toBe('Bread?');
    expect(request).not.toHaveBeenCalled();
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
