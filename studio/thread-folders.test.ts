import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import { arrangeThreads, removeFolder } from './arrange-threads.ts';
import { ThreadFolders } from './thread-folders.ts';

let store: MemoryThreadStore;
let folders: ThreadFolders;

beforeEach(async () => {
  store = new MemoryThreadStore();
  folders = await ThreadFolders.open(store);
});

const names = (of = folders) => of.state.getState().folders.map(({ name }) => name);

test('folders are created, renamed and removed in all tabs, and stand in the order of their names', async () => {
  const other = await ThreadFolders.open(store);
  const id = await folders.create(' Work ');
  await folders.create('Home');
  expect(names()).toEqual(['Home', 'Work']);
  await vi.waitFor(() => expect(names(other)).toEqual(['Home', 'Work']));
  await other.rename(id, 'Archive of 2025');
  await vi.waitFor(() => expect(names()).toEqual(['Archive of 2025', 'Home']));
  await folders.rename(id, '  ');
  await folders.rename('gone', 'Nothing');
  expect(names()).toEqual(['Archive of 2025', 'Home']);
  await folders.remove(id);
  await vi.waitFor(() => expect(names(other)).toEqual(['Home']));
});

test('other settings change nothing here, so the list is not drawn again', async () => {
  await folders.create('Work');
  const before = folders.state.getState().folders;
  await store.putSetting('settings', { theme: 'dark' });
  await vi.waitFor(async () => expect(await store.setting('settings')).toBeDefined());
  expect(folders.state.getState().folders).toBe(before);
});

test('restoring adds what is missing, and leaves the names that are here', async () => {
  const id = await folders.create('Mine');
  await folders.restore([
    { id, name: 'Theirs', createdAt: 1 },
    { id: 'new', name: 'New', createdAt: 1 },
  ]);
  expect(names()).toEqual(['Mine', 'New']);
});

test('restoring thousands of folders stores and reads them at once', async () => {
  let notices = 0;
  store.subscribe(() => notices++);
  const reads = vi.spyOn(store, 'settingsUnder');
  await folders.restore(Array.from({ length: 3_000 }, (_, n) => ({ id: `f${n}`, name: `Folder ${n}`, createdAt: n })));
  expect(names()).toHaveLength(3_000);
  expect(notices).toBe(1);
  // Once for the notice, and once before the call resolves.
  expect(reads.mock.calls.length).toBeLessThan(5);
});

test('arranging threads moves them, and their time of activity stays', async () => {
  const folderId = await folders.create('Work');
  for (const id of ['a', 'b']) await store.putThread(threadOf(id, { updatedAt: 7 }));
  const arrangedAs = async (id: string) => {
    const { pinnedAt, folderId: inside, archivedAt, updatedAt } = (await store.thread(id)) ?? threadOf('gone');
    expect(updatedAt).toBe(7);
    return [pinnedAt !== undefined && 'pinned', inside === folderId && 'filed', archivedAt !== undefined && 'archived']
      .filter((word) => word !== false)
      .join(' ');
  };
  await arrangeThreads(store, ['a', 'b'], { folderId });
  await arrangeThreads(store, ['a'], 'pin');
  expect(await arrangedAs('a')).toBe('pinned filed');
  await arrangeThreads(store, ['a', 'b'], 'archive');
  expect(await arrangedAs('a')).toBe('pinned filed archived');
  expect(await arrangedAs('b')).toBe('filed archived');
  await arrangeThreads(store, ['a'], 'unarchive');
  expect(await arrangedAs('a')).toBe('pinned filed');
  await arrangeThreads(store, ['a'], 'unpin');
  expect(await arrangedAs('a')).toBe('filed');
  await arrangeThreads(store, ['b'], { folderId });
  expect(await arrangedAs('b')).toBe('filed');
  await arrangeThreads(store, ['a'], 'release');
  expect(await arrangedAs('a')).toBe('');
});

test('a folder that is deleted leaves its threads in the list', async () => {
  const [gone, kept] = [await folders.create('Gone'), await folders.create('Kept')];
  await store.putThread(threadOf('a', { folderId: gone }));
  await store.putThread(threadOf('b', { folderId: kept }));
  await removeFolder({ store, threadFolders: folders }, gone);
  expect(names()).toEqual(['Kept']);
  expect(await store.threads()).toEqual([threadOf('a'), threadOf('b', { folderId: kept })]);
});
