import { defined } from '#lib/base/defined.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ThreadFolders } from './thread-folders.ts';

/**
 * A move of threads within the list. `pin`: to the pinned threads, out of the archive. `archive`: into the archive; `unarchive`
 * puts them back into their place before. `release`: out of their folder, the pinned threads, and the archive. `folderId`: into
 * the folder with this id, out of the pinned threads and the archive.
 */
export type Arrangement = 'pin' | 'unpin' | 'archive' | 'unarchive' | 'release' | { folderId: string };

/** Returns the thread moved within the list. Its time of activity stays. `now`: in milliseconds since the epoch. */
function arranged(thread: Thread, arrangement: Arrangement, now: number): Thread {
  const { pinnedAt, folderId, archivedAt, ...bare } = thread;
  const ofFolder = folderId !== undefined && { folderId };
  switch (arrangement) {
    case 'pin':
      return { ...bare, ...ofFolder, pinnedAt: pinnedAt ?? now };
    case 'unpin':
      return { ...bare, ...ofFolder, ...defined({ archivedAt }) };
    case 'archive':
      return { ...thread, archivedAt: archivedAt ?? now };
    case 'unarchive':
      return { ...bare, ...ofFolder, ...defined({ pinnedAt }) };
    case 'release':
      return bare;
    default:
      return { ...bare, folderId: arrangement.folderId };
  }
}

/** Moves threads within the list, all at once. Rejects with `StorageError`. */
export async function arrangeThreads(
  store: Pick<ThreadStore, 'updateThreads'>,
  ids: readonly string[],
  arrangement: Arrangement,
): Promise<void> {
  const now = Date.now();
  await store.updateThreads(ids, (thread) => arranged(thread, arrangement, now));
}

/**
 * Moves threads back to their places in the list, to undo a move, and changes nothing else of them. `before`: the threads as
 * they were before the move. Rejects with `StorageError`.
 */
export async function putBack(store: Pick<ThreadStore, 'updateThreads'>, before: readonly Thread[]): Promise<void> {
  const places = new Map(
    before.map(({ id, pinnedAt, folderId, archivedAt }) => [id, defined({ pinnedAt, folderId, archivedAt })]),
  );
  await store.updateThreads([...places.keys()], (thread) => ({
    ...arranged(thread, 'release', 0),
    ...places.get(thread.id),
  }));
}

/** Deletes a folder of threads. The threads in it go back to the list. Rejects with `StorageError`. */
export async function removeFolder(
  { store, threadFolders }: { store: ThreadStore; threadFolders: Pick<ThreadFolders, 'remove'> },
  folderId: string,
): Promise<void> {
  const inside = (await store.threads()).filter((thread) => thread.folderId === folderId);
  await store.updateThreads(
    inside.map(({ id }) => id),
    ({ folderId: before, ...thread }) => (before === folderId ? thread : { ...thread, folderId: before }),
  );
  await threadFolders.remove(folderId);
}
