import { expect, test } from 'vitest';
import { textMessage } from '#lib/messages/text-message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import { continuesQuery, type FoundThread, searchThreads } from './thread-search.ts';

async function storeOf(threads: Record<string, readonly string[]>) {
  const store = new MemoryThreadStore();
  for (const [id, texts] of Object.entries(threads)) {
    const messages = texts.map((text, index) => ({ ...textMessage(text), id: `${id}${index}` }));
    await store.addThread({
      thread: threadOf(id, { headId: messages.at(-1)?.id ?? null }),
      messages: messages.map((message, index) => ({ message, parentId: messages[index - 1]?.id ?? null })),
    });
  }
  return store;
}

async function search(store: MemoryThreadStore, query: string, signal = new AbortController().signal) {
  const found: FoundThread[] = [];
  for await (const thread of searchThreads(store, await store.threads(), query, signal)) found.push(thread);
  return found;
}

test('gives each thread with the lines in which something was found', async () => {
  const store = await storeOf({
    a: ['Nothing', 'The needle is here', 'A needle', 'needle', 'Needle again', 'needle'],
    b: ['Nothing at all'],
    c: ['needle in c'],
  });
  const found = await search(store, 'needle');
  expect(found.map(({ thread, lines, more }) => [thread.id, lines.map(({ messageId }) => messageId), more])).toEqual([
    ['a', ['a1', 'a2', 'a3'], { count: 2, messageId: 'a4' }],
    ['c', ['c0'], undefined],
  ]);
  expect(found[0]?.lines[0]?.line).toEqual({ before: 'The ', match: 'needle', after: ' is here' });
});

test('looks only at the open branch', async () => {
  const store = await storeOf({ a: ['root', 'needle'] });
  await store.updateThread('a', (thread) => ({ ...thread, headId: 'a0' }));
  expect(await search(store, 'needle')).toEqual([]);
});

test('leaves out a thread that cannot be read, and goes on', async () => {
  const store = await storeOf({ a: ['needle'], b: ['needle'] });
  const failing = Object.assign(Object.create(store), {
    messages: (id: string) => (id === 'a' ? Promise.reject(new Error('It cannot be read.')) : store.messages(id)),
  });
  const found: string[] = [];
  for await (const { thread } of searchThreads(failing, await store.threads(), 'needle', new AbortController().signal))
    found.push(thread.id);
  expect(found).toEqual(['b']);
});

test('ends at 50 threads, at once for nothing, and when it is aborted', async () => {
  const store = await storeOf(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`t${n}`, ['needle']])));
  expect(await search(store, 'needle')).toHaveLength(50);
  expect(await search(store, '  ')).toHaveLength(0);
  expect(await search(store, 'needle', AbortSignal.abort())).toHaveLength(0);
});

test('only what was found before is searched as long as the query is the same and longer', () => {
  expect(continuesQuery('needle in', 'needle')).toBe(true);
  expect(continuesQuery('Needle', 'need ')).toBe(true);
  expect(continuesQuery('need', 'needle')).toBe(false);
  expect(continuesQuery('a needle', 'needle')).toBe(false);
  expect(continuesQuery('needle', '')).toBe(false);
});
