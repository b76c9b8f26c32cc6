import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { ThreadTrash, UNDO_DELETE_MS } from './thread-trash.ts';

let store: MemoryThreadStore;

beforeEach(() => {
  vi.useFakeTimers();
  store = new MemoryThreadStore();
});

afterEach(() => void vi.useRealTimers());

/** A tab with its own offer to undo, and what it has removed for good. */
function openTab(shownWorkspaceId = 'shown') {
  const tab = { offered: [] as readonly Thread[], deleted: [] as string[], workspaces: [] as string[] };
  const closed = new AbortController();
  const trash = new ThreadTrash({
    store,
    transport: { deleteThread: async () => undefined },
    workspaces: { remove: async (id) => void tab.workspaces.push(id) },
    justDeleted: () => tab.offered,
    setJustDeleted: (threads) => {
      tab.offered = threads;
    },
    shownWorkspaceId: () => shownWorkspaceId,
    closeSession: async () => undefined,
    onDeleted: (id) => void tab.deleted.push(id),
    closed: closed.signal,
  });
  return Object.assign(tab, { trash, close: () => closed.abort() });
}

const storedIds = async () => (await store.threads()).map(({ id }) => id);

test('a second tab does not purge what was restored and deleted again, while it can still be restored', async () => {
  await store.putThread(threadOf('a', { workspaceId: 'w' }));
  const [one, two] = [openTab(), openTab()];
  await one.trash.put(await store.threads(), true);
  await vi.advanceTimersByTimeAsync(1_000);
  await two.trash.complete();
  await vi.advanceTimersByTimeAsync(3_000);
  await one.trash.restore();
  await vi.advanceTimersByTimeAsync(4_000);
  await one.trash.put(await store.threads(), true);
  // The time of the first deletion is up.
  await vi.advanceTimersByTimeAsync(4_000);
  expect((await one.trash.restore()).map(({ id }) => id)).toEqual(['a']);
  expect(await store.threads()).toEqual([threadOf('a', { workspaceId: 'w' })]);
  expect(two.workspaces).toEqual([]);
});

test('what one tab restores while another one is purging it stays', async () => {
  await store.putThread(threadOf('a', { deletedAt: 1, deletesWorkspace: true }));
  const tab = openTab();
  const read = store.threads.bind(store);
  vi.spyOn(store, 'threads').mockImplementation(async () => {
    const threads = await read();
    await store.updateThread('a', ({ deletedAt: _, deletesWorkspace: __, ...thread }) => thread);
    return threads;
  });
  await tab.trash.complete();
  expect((await read()).map(({ id }) => id)).toEqual(['a']);
  expect([tab.deleted, tab.workspaces]).toEqual([[], []]);
});

test('what an earlier page deleted is purged by the next one, even if that began before the time was up', async () => {
  await store.putThread(threadOf('a'));
  await openTab().trash.put(await store.threads(), false);
  await vi.advanceTimersByTimeAsync(4_000);
  const tab = openTab();
  await tab.trash.complete();
  expect(await storedIds()).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(UNDO_DELETE_MS);
  expect(await storedIds()).toEqual([]);
});

test('a page that is closed leaves to the next one what can still be restored', async () => {
  await store.putThread(threadOf('a'));
  await store.putThread(threadOf('b'));
  const [one, two] = [openTab(), openTab()];
  await one.trash.put(await store.threads(), false);
  await two.trash.complete();
  one.close();
  two.close();
  await vi.advanceTimersByTimeAsync(UNDO_DELETE_MS);
  expect(await storedIds()).toEqual(['a', 'b']);
  await openTab().trash.complete();
  expect(await storedIds()).toEqual([]);
});

test('an undo that fails can be tried again', async () => {
  await store.putThread(threadOf('a'));
  const tab = openTab();
  await tab.trash.put(await store.threads(), false);
  vi.spyOn(store, 'updateThreads').mockRejectedValueOnce(new StorageError('full', 'The disk is full.'));
  await expect(tab.trash.restore()).rejects.toMatchObject({ code: 'full' });
  expect(tab.offered.map(({ id }) => id)).toEqual(['a']);
  await tab.trash.restore();
  expect(tab.offered).toEqual([]);
  expect(await store.threads()).toEqual([threadOf('a')]);
});

test('a thousand threads that an earlier page deleted are purged together, with the workspaces of their own', async () => {
  const reads = vi.spyOn(store, 'threads');
  for (let n = 0; n < 1_000; n++)
    await store.putThread(threadOf(`${n}`, { workspaceId: `w${n % 500}`, deletedAt: 1, deletesWorkspace: true }));
  await store.putThread(threadOf('kept', { workspaceId: 'w7' }));
  let notices = 0;
  store.subscribe(() => notices++);
  const tab = openTab('w8');
  await tab.trash.complete();
  expect(await storedIds()).toEqual(['kept']);
  expect(tab.deleted).toHaveLength(1_000);
  expect(tab.workspaces).toHaveLength(498);
  expect(tab.workspaces).not.toContain('w7');
  expect(tab.workspaces).not.toContain('w8');
  expect(notices).toBeLessThan(50);
  expect(reads.mock.calls.length).toBeLessThan(50);
});
