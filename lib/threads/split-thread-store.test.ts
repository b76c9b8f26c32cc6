import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { SplitThreadStore } from './split-thread-store.ts';
import { isTemporary, temporaryId } from './temporary.ts';
import { called, claimOf, describeThreadStore, said, threadOf } from './test/store-contract.ts';

describe('the split store', () => {
  describeThreadStore(async () => new SplitThreadStore(new MemoryThreadStore()));
});

describe('temporary threads', () => {
  let lasting: MemoryThreadStore;
  let store: SplitThreadStore;
  let id: string;

  beforeEach(() => {
    lasting = new MemoryThreadStore();
    store = new SplitThreadStore(lasting);
    id = temporaryId();
  });

  test('are recognized by their ids', () => {
    expect(isTemporary(id)).toBe(true);
    expect(isTemporary(crypto.randomUUID())).toBe(false);
    expect(id).toMatch(/^[\w-]{1,64}$/);
  });

  test('leave nothing in the lasting store: no thread, message or call, and no notice to other tabs', async () => {
    const changes: unknown[] = [];
    const own: unknown[] = [];
    lasting.subscribe((change) => changes.push(change));
    store.subscribe((change) => own.push(change));
    await store.putThread(threadOf(id));
    await store.putMessages(id, [{ message: said('a'), parentId: null }]);
    await store.putMessages(id, [{ message: called('b', 'c'), parentId: 'a' }]);
    await store.updateThread(id, (thread) => ({ ...thread, title: 'Secret' }));
    const ofThread = await store.of(id);
    expect(await ofThread.claim(claimOf('c', 'tab-1'), undefined)).toBe(true);
    expect(await lasting.threads()).toEqual([]);
    expect(await lasting.messages(id)).toEqual([]);
    expect(await lasting.get('c')).toBeUndefined();
    expect(changes).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
  });

  test('are read like all others as long as the page lives', async () => {
    await store.putThread(threadOf('kept'));
    await store.addThread({
      thread: threadOf(id, { headId: 'b' }),
      messages: [
        { message: said('a'), parentId: null },
        { message: called('b', 'c'), parentId: 'a' },
      ],
    });
    await (await store.of(id)).claim(claimOf('c', 'tab-1'), undefined);
    expect((await store.threads()).map((thread) => thread.id)).toEqual(['kept', id]);
    expect((await store.messages(id)).map(({ message }) => message.id)).toEqual(['a', 'b']);
    expect((await store.branchEnd(id, 'b', 1)).map(({ message }) => message.id)).toEqual(['b']);
    expect(await store.get('c')).toEqual(claimOf('c', 'tab-1'));
    expect((await store.updateThreads(['kept', id], (thread) => ({ ...thread, title: 'T' }))).length).toBe(2);
    expect((await lasting.thread('kept'))?.title).toBe('T');
    await store.deleteThreads([id]);
    expect((await store.threads()).map((thread) => thread.id)).toEqual(['kept']);
    expect(await store.get('c')).toBeUndefined();
  });

  test('give their files only to each other: a thread that lasts would lose them', async () => {
    const thread = threadOf('kept', { workspaceId: temporaryId() });
    const refusal = { name: 'StorageError', code: 'failed', message: expect.stringContaining('temporary') };
    await expect(store.putThread(thread)).rejects.toMatchObject(refusal);
    await expect(store.addThread({ thread, messages: [] })).rejects.toMatchObject(refusal);
    expect(await store.threads()).toEqual([]);
    await store.putThread({ ...thread, id });
    expect((await store.threads()).map((one) => one.id)).toEqual([id]);
  });

  test('are not there for another page', async () => {
    await store.putThread(threadOf(id));
    expect(await new SplitThreadStore(lasting).threads()).toEqual([]);
  });
});
