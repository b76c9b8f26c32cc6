import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { damageOf } from '#lib/messages/readable.ts';
import { IndexedDbThreadStore } from './indexeddb-thread-store.ts';
import { called, claimOf, describeThreadStore, resultOf, said, threadOf } from './test/store-contract.ts';
import type { Thread } from './thread.ts';
import { StorageError, type StoreChange, type ThreadStore } from './thread-store.ts';

const opened: ThreadStore[] = [];
let databases = 0;
let name: string;
let store: ThreadStore;

async function openTab(): Promise<ThreadStore> {
  const tab = await IndexedDbThreadStore.open(name);
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

const idsIn = async (threadId: string): Promise<string[]> =>
  (await store.messages(threadId)).map(({ message }) => message.id);

describe('the store in IndexedDB', () => {
  describeThreadStore(async () => store);
});

describe('the call ledger', () => {
  test('[R3] [R4] of many concurrent claims from two tabs, exactly one is stored', async () => {
    const other = await openTab();
    const claims = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? store : other).claim(claimOf('c', `tab-${index}`), undefined),
    );
    const won = (await Promise.all(claims)).flatMap((claimed, index) => (claimed ? [`tab-${index}`] : []));
    expect(won).toHaveLength(1);
    expect((await other.get('c'))?.claimant).toBe(won[0]);
  });

  test('[R3] claims and results survive a reload', async () => {
    await store.claim(claimOf('c', 'tab-1'), undefined);
    store.close();
    const again = await openTab();
    expect(await again.get('c')).toEqual(claimOf('c', 'tab-1'));
    expect(await again.finish(resultOf('c'), 'tab-1')).toEqual(resultOf('c'));
  });
});

test('what is being stored while it is closed is stored', async () => {
  const stored = store.putSetting('theme', 'dark');
  store.close();
  await stored;
  expect(await (await openTab()).setting('theme')).toBe('dark');
});

describe('messages', () => {
  test('that two tabs add at once are all there exactly once', async () => {
    const other = await openTab();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).putMessages('t', [{ message: said(`m${index}`), parentId: null }]),
      ),
    );
    expect((await idsIn('t')).toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`).toSorted());
    await store.putMessages('t', [{ message: said('last'), parentId: null }]);
    expect((await idsIn('t')).at(-1)).toBe('last');
  });
});

test('a damaged message is read as one that says so, and its thread can be deleted', async () => {
  await store.putThread(threadOf('t'));
  await store.putMessages('t', [
    { message: said('a'), parentId: null },
    { message: { ...said('b'), parts: null as never }, parentId: 'a' },
  ]);
  const [whole, damaged] = (await store.messages('t')).map(({ message }) => message);
  expect(whole && damageOf(whole)).toBeUndefined();
  expect(damaged).toMatchObject({ id: 'b', role: 'user', parts: [] });
  expect(damaged && damageOf(damaged)).toContain('"parts":null');
  const [, end] = await store.branchEnd('t', 'b', 2);
  expect(end && damageOf(end.message)).toBeDefined();
  await store.deleteThreads(['t']);
  expect(await store.messages('t')).toEqual([]);
});

describe('threads', () => {
  test('concurrent changes by two tabs to one thread are both kept', async () => {
    const other = await openTab();
    await store.putThread(threadOf('t'));
    const grant = (tab: ThreadStore, tool: string) =>
      tab.updateThread('t', (thread) => ({ ...thread, grants: [...thread.grants, tool] }));
    await Promise.all(['a', 'b', 'c', 'd'].map((tool, index) => grant(index % 2 === 0 ? store : other, tool)));
    expect((await store.thread('t'))?.grants.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('concurrent changes by two tabs to one setting are both kept', async () => {
  const other = await openTab();
  const add = (tab: ThreadStore, item: string) =>
    tab.updateSetting('list', (value) => [...(Array.isArray(value) ? value : []), item]);
  await Promise.all(['a', 'b', 'c', 'd'].map((item, index) => add(index % 2 === 0 ? store : other, item)));
  expect([await store.setting('list')].flat().toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

describe('notifications', () => {
  test('[R4] a change is reported once here and once in the other tab, and can be read there', async () => {
    const other = await openTab();
    const [here, there]: [StoreChange[], StoreChange[]] = [[], []];
    store.subscribe((change) => here.push(change));
    other.subscribe((change) => there.push(change));
    await store.putThread(threadOf('t'));
    await store.putMessages('t', [{ message: said('a'), parentId: null }]);
    await store.putSetting('k', 1);
    await store.updateThread('t', (thread) => ({ ...thread, title: 'New' }));
    await store.deleteThreads(['t']);
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
    await store.putMessages('t', [{ message: called('a', 'c'), parentId: null }]);
    await store.claim(claimOf('c', 'tab-1'), undefined);
    fillDisk();
    const full = { name: 'StorageError', code: 'full' };
    await expect(store.putThread(threadOf('u'))).rejects.toMatchObject(full);
    await expect(store.updateThread('t', (thread) => ({ ...thread, title: 'New' }))).rejects.toMatchObject(full);
    await expect(store.putMessages('t', [{ message: said('b'), parentId: 'a' }])).rejects.toMatchObject(full);
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

  test('in a browser without storage, opening is `unavailable`', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is switched off.', 'SecurityError');
    });
    await expect(IndexedDbThreadStore.open('nowhere')).rejects.toMatchObject({
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
