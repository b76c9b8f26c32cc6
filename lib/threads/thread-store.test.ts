import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { Thread } from './thread.ts';
import { StorageError, type StoreChange, ThreadStore } from './thread-store.ts';

const opened: ThreadStore[] = [];
let databases = 0;
let name: string;
let store: ThreadStore;

async function openTab(): Promise<ThreadStore> {
  const tab = await ThreadStore.open(name);
  opened.push(tab);
  return tab;
}

beforeEach(async () => {
  name = `studio-${++databases}`;
  store = await openTab();
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const tab of opened.splice(0)) tab.close();
});

const threadOf = (id: string, change: Partial<Thread> = {}): Thread => ({
  id,
  title: '',
  titledBy: 'nobody',
  createdAt: 1,
  updatedAt: 1,
  headId: null,
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

const said = (id: string, text = id): Message => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text }],
});

const called = (id: string, ...toolCallIds: string[]): Message => ({
  id,
  role: 'assistant',
  createdAt: 1,
  status: { type: 'waiting' },
  parts: toolCallIds.map((toolCallId) => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'read_file',
    inputState: 'complete',
    input: { path: '/a' },
  })),
});

const resultOf = (toolCallId: string, content = 'done'): ToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read_file',
  output: { content, data: { lc: 1, type: 'constructor' } },
});

const claimOf = (toolCallId: string, claimant: string) => ({
  toolCallId,
  claimant,
});

const idsIn = async (threadId: string): Promise<string[]> =>
  (await store.messages(threadId)).map(({ message }) => message.id);

describe('the call ledger', () => {
  test('[R3] a call is claimed once: a second claim that expects no claimant is refused', async () => {
    expect(await store.claim(claimOf('c', 'tab-1'), undefined)).toBe(true);
    expect(await store.claim(claimOf('c', 'tab-2'), undefined)).toBe(false);
    expect(await store.get('c')).toEqual(claimOf('c', 'tab-1'));
  });

  test('[R3] [R4] of many concurrent claims from two tabs, exactly one is stored', async () => {
    const other = await openTab();
    const claims = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? store : other).claim(claimOf('c', `tab-${index}`), undefined),
    );
    const won = (await Promise.all(claims)).flatMap((claimed, index) => (claimed ? [`tab-${index}`] : []));
    expect(won).toHaveLength(1);
    expect((await other.get('c'))?.claimant).toBe(won[0]);
  });

  test('[R3] a dead claim is taken over only from the claimant it was seen with', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    expect(await store.claim(claimOf('c', 'tab-3'), 'tab-2')).toBe(false);
    expect(await store.claim(claimOf('c', 'tab-2'), 'tab-1')).toBe(true);
    expect(await store.claim(claimOf('c', 'tab-3'), 'tab-1')).toBe(false);
    expect((await store.get('c'))?.claimant).toBe('tab-2');
  });

  test('[R3] a claim that expects a claimant is refused if there is none', async () => {
    expect(await store.claim(claimOf('c', 'tab-2'), 'tab-1')).toBe(false);
    expect(await store.get('c')).toBeUndefined();
  });

  test('[R1] only the claimant finishes a call', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    expect(await store.finish(resultOf('c', 'theirs'), 'tab-2')).toBeUndefined();
    expect((await store.get('c'))?.result).toBeUndefined();
    expect(await store.finish(resultOf('c'), 'tab-1')).toEqual(resultOf('c'));
    expect(await store.get('c')).toEqual({ ...claimOf('c', 'tab-1'), result: resultOf('c') });
  });

  test('[R1] the first result stands: finishing again, by anyone, returns that one', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    await store.finish(resultOf('c', 'first'), 'tab-1');
    expect(await store.finish(resultOf('c', 'second'), 'tab-1')).toEqual(resultOf('c', 'first'));
    expect(await store.finish(resultOf('c', 'third'), 'tab-2')).toEqual(resultOf('c', 'first'));
    expect((await store.get('c'))?.result).toEqual(resultOf('c', 'first'));
  });

  test('[R2] a call that has its result can never be claimed again', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    await store.finish(resultOf('c'), 'tab-1');
    expect(await store.claim(claimOf('c', 'tab-1'), 'tab-1')).toBe(false);
    expect(await store.claim(claimOf('c', 'tab-2'), undefined)).toBe(false);
  });

  test('a result for a call that nobody claimed is not stored', async () => {
    expect(await store.finish(resultOf('c'), 'tab-1')).toBeUndefined();
    expect(await store.get('c')).toBeUndefined();
  });

  test('[R3] claims and results survive a reload', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    store.close();
    const again = await openTab();
    expect(await again.get('c')).toEqual(claimOf('c', 'tab-1'));
    expect(await again.finish(resultOf('c'), 'tab-1')).toEqual(resultOf('c'));
  });

  test('[R8] a result’s data keeps its structure, and ids are not confused with other keys', async () => {
    for (const id of ['__proto__', 'constructor']) {
      expect(await store.get(id)).toBeUndefined();
      await store.claim(claimOf(id, 'tab-1'), undefined);
      expect(await store.finish(resultOf(id), 'tab-1')).toEqual(resultOf(id));
      expect((await store.get(id))?.result).toEqual(resultOf(id));
    }
  });
});

describe('messages', () => {
  test('keep their parents and the order in which they were created, whatever their ids', async () => {
    const nodes = [
      { message: said('z'), parentId: null },
      { message: said('a'), parentId: 'z' },
      { message: said('m'), parentId: 'z' },
    ];
    await store.putMessages('t', nodes.slice(0, 2));
    await store.putMessages('t', nodes.slice(2));
    expect(await store.messages('t')).toEqual(nodes);
  });

  test('keep their place when they are stored again with new contents', async () => {
    for (const id of ['a', 'b', 'c']) await store.putMessage('t', said(id), null);
    await store.putMessage('t', said('a', 'changed'), null);
    await store.putMessage('t', said('d'), 'c');
    expect(await idsIn('t')).toEqual(['a', 'b', 'c', 'd']);
    expect((await store.messages('t'))[0]?.message).toEqual(said('a', 'changed'));
  });

  test('that two tabs add at once are all there exactly once', async () => {
    const other = await openTab();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).putMessage('t', said(`m${index}`), null),
      ),
    );
    expect((await idsIn('t')).toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`).toSorted());
    await store.putMessage('t', said('last'), null);
    expect((await idsIn('t')).at(-1)).toBe('last');
  });

  test('[R4] of a page that slept are not stored once another one has taken the thread over', async () => {
    await store.putThread({ ...threadOf('t'), actor: 'awake' });
    await store.putMessage('t', said('a', 'all of it'), null, 'awake');
    await store.putMessage('t', said('a', 'half'), null, 'asleep');
    expect((await store.messages('t'))[0]?.message).toEqual(said('a', 'all of it'));
  });

  test('belong to one thread, even if one thread’s id is a prefix of another’s', async () => {
    await store.putMessage('t', said('a'), null);
    await store.putMessage('t2', said('b'), null);
    await store.putMessage('', said('c'), null);
    expect(await idsIn('t')).toEqual(['a']);
    expect(await idsIn('t2')).toEqual(['b']);
    expect(await idsIn('nothing')).toEqual([]);
  });

  test('are stored atomically: if one cannot be stored, none is', async () => {
    await store.putMessage('t', said('a', 'before'), null);
    const impossible = called('c', 'call');
    const part = impossible.parts[0];
    if (part?.type === 'tool-call') part.input = { run: () => undefined };
    await expect(
      store.putMessages('t', [
        { message: said('a', 'after'), parentId: null },
        { message: said('b'), parentId: 'a' },
        { message: impossible, parentId: 'b' },
      ]),
    ).rejects.toMatchObject({ name: 'StorageError', code: 'failed' });
    expect(await store.messages('t')).toEqual([{ message: said('a', 'before'), parentId: null }]);
  });
});

describe('threads', () => {
  test('are read as they were stored, individually and all together', async () => {
    const [one, two] = [threadOf('one', { chosen: { a: 'b' }, queued: undefined }), threadOf('two', { title: 'Two' })];
    await store.putThread(one);
    await store.putThread(two);
    expect(await store.thread('one')).toEqual(one);
    expect(await store.threads()).toEqual([one, two]);
    expect(await store.thread('__proto__')).toBeUndefined();
  });

  test('concurrent changes by two tabs to one thread are both kept', async () => {
    const other = await openTab();
    await store.putThread(threadOf('t'));
    const grant = (tab: ThreadStore, tool: string) =>
      tab.updateThread('t', (thread) => ({ ...thread, grants: [...thread.grants, tool] }));
    await Promise.all(['a', 'b', 'c', 'd'].map((tool, index) => grant(index % 2 === 0 ? store : other, tool)));
    expect((await store.thread('t'))?.grants.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a change resolves with what is stored, or with undefined if the thread is gone', async () => {
    await store.putThread(threadOf('t'));
    const updated = await store.updateThread('t', (thread) => ({ ...thread, title: 'New' }));
    expect(updated).toEqual(threadOf('t', { title: 'New' }));
    expect(await store.updateThread('gone', (thread) => ({ ...thread, title: 'New' }))).toBeUndefined();
    expect(await store.thread('gone')).toBeUndefined();
  });

  test('deleting a thread also deletes its messages and calls, but nothing of another thread', async () => {
    await store.putThread(threadOf('t'));
    await store.putThread(threadOf('other'));
    await store.putMessages('t', [
      { message: said('a'), parentId: null },
      { message: called('b', 'c1', 'c2'), parentId: 'a' },
    ]);
    await store.putMessage('other', called('x', 'c3'), null);
    for (const id of ['c1', 'c2', 'c3']) await store.claim(claimOf(id, 'tab-1'), undefined);
    await store.deleteThread('t');
    expect((await store.threads()).map(({ id }) => id)).toEqual(['other']);
    expect(await idsIn('t')).toEqual([]);
    expect(await idsIn('other')).toEqual(['x']);
    expect(await store.get('c1')).toBeUndefined();
    expect(await store.get('c2')).toBeUndefined();
    expect(await store.get('c3')).toEqual(claimOf('c3', 'tab-1'));
  });

  test('deleting a thread that does not exist does no harm', async () => {
    await store.deleteThread('gone');
    expect(await store.threads()).toEqual([]);
  });
});

describe('settings', () => {
  test('are stored under their keys, whatever their type', async () => {
    await store.putSetting('a', { nested: [1, null] });
    await store.putSetting('b', false);
    expect(await store.setting('a')).toEqual({ nested: [1, null] });
    expect(await store.setting('b')).toBe(false);
    expect(await store.setting('constructor')).toBeUndefined();
  });
});

describe('notifications', () => {
  test('[R4] a change is reported once here and once in the other tab, and can be read there', async () => {
    const other = await openTab();
    const [here, there]: [StoreChange[], StoreChange[]] = [[], []];
    store.subscribe((change) => here.push(change));
    other.subscribe((change) => there.push(change));
    await store.putThread(threadOf('t'));
    await store.putMessage('t', said('a'), null);
    await store.putSetting('k', 1);
    await store.updateThread('t', (thread) => ({ ...thread, title: 'New' }));
    await store.deleteThread('t');
    const all: StoreChange[] = [
      { type: 'threads' },
      { type: 'messages', threadId: 't' },
      { type: 'settings' },
      { type: 'threads' },
      { type: 'threads' },
    ];
    expect(here).toEqual(all);
    await expect.poll(() => there).toEqual(all);
    expect(await other.threads()).toEqual([]);
    expect(await other.setting('k')).toBe(1);
  });

  test('[R13] a change is already stored when listeners are notified', async () => {
    const read = Promise.withResolvers<Thread | undefined>();
    const other = await openTab();
    other.subscribe(() => read.resolve(other.thread('t')));
    await store.putThread(threadOf('t'));
    expect(await read.promise).toEqual(threadOf('t'));
  });

  test('nothing is reported after unsubscribing or if a change was not stored', async () => {
    const heard: StoreChange[] = [];
    const unsubscribe = store.subscribe((change) => heard.push(change));
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('Full.', 'QuotaExceededError');
    });
    await expect(store.putThread(threadOf('t'))).rejects.toThrow(StorageError);
    vi.restoreAllMocks();
    unsubscribe();
    await store.putThread(threadOf('t'));
    expect(heard).toEqual([]);
  });
});

describe('when storage fails', () => {
  const refusePuts = () =>
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    });

  /** As in browsers: requests are accepted, and the transaction fails when it is completed. */
  const abortOnPut = () => {
    const put = IDBObjectStore.prototype.put;
    return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      const request = put.call(this, value, key);
      const abort: unknown = Reflect.get(this.transaction, '_abort');
      if (typeof abort === 'function') abort.call(this.transaction, 'QuotaExceededError');
      return request;
    });
  };

  test.each<[string, () => unknown]>([
    ['rejects a put', refusePuts],
    ['aborts the transaction', abortOnPut],
  ])('a full disk that %s is `full` for every write, and earlier data stays readable', async (_, fillDisk) => {
    await store.putThread(threadOf('t'));
    await store.putMessage('t', called('a', 'c'), null);
    await store.claim(claimOf('c', 'tab-1'), undefined);
    fillDisk();
    const full = { name: 'StorageError', code: 'full' };
    await expect(store.putThread(threadOf('u'))).rejects.toMatchObject(full);
    await expect(store.updateThread('t', (thread) => ({ ...thread, title: 'New' }))).rejects.toMatchObject(full);
    await expect(store.putMessage('t', said('b'), 'a')).rejects.toMatchObject(full);
    await expect(store.putSetting('k', 1)).rejects.toMatchObject(full);
    await expect(store.claim(claimOf('d', 'tab-1'), undefined)).rejects.toMatchObject(full);
    await expect(store.finish(resultOf('c'), 'tab-1')).rejects.toMatchObject(full);
    vi.restoreAllMocks();
    expect(await store.threads()).toEqual([threadOf('t')]);
    expect(await idsIn('t')).toEqual(['a']);
    expect(await store.get('c')).toEqual(claimOf('c', 'tab-1'));
    expect(await store.get('d')).toBeUndefined();
    expect(await store.finish(resultOf('c'), 'tab-1')).toEqual(resultOf('c'));
  });

  test('after closing, every read and write is `unavailable`', async () => {
    store.close();
    const unavailable = { name: 'StorageError', code: 'unavailable' };
    await expect(store.threads()).rejects.toMatchObject(unavailable);
    await expect(store.messages('t')).rejects.toMatchObject(unavailable);
    await expect(store.putThread(threadOf('t'))).rejects.toMatchObject(unavailable);
    await expect(store.updateThread('t', (thread) => thread)).rejects.toMatchObject(unavailable);
    await expect(store.claim(claimOf('c', 'tab-1'), undefined)).rejects.toMatchObject(unavailable);
  });

  test('in a browser without storage, opening is `unavailable`', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is switched off.', 'SecurityError');
    });
    await expect(ThreadStore.open('nowhere')).rejects.toMatchObject({
      name: 'StorageError',
      code: 'unavailable',
      message: 'Storage is switched off.',
    });
  });

  test('a tab with a newer version is not blocked: this one closes the database and says so at its next call', async () => {
    const newer = await openDB(name, 2);
    await expect(store.threads()).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' });
    newer.close();
  });
});
