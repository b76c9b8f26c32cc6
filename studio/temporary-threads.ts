import type { StoreApi } from 'zustand/vanilla';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { Transport } from '#lib/threads/transport.ts';

/** The prefix of the ids of temporary threads, in the local storage and in the names of locks. */
const PREFIX = 'roundtrip-studio:temporary-thread:';

/**
 * Follows the temporary threads in `state` until the returned function is called. When the page closes, deletes what the server
 * keeps of them. This may fail, so their ids are written down in this browser. Also deletes what earlier pages have left behind
 * in this way.
 */
export function endTemporaryThreads(
  state: Pick<StoreApi<{ threads: readonly Thread[] }>, 'subscribe'>,
  transport: Pick<Transport, 'deleteThread'>,
): () => void {
  const own = new Set<string>();
  // Their ids stay written down for the next page.
  deleteLeftovers(transport).catch(() => undefined);
  const unsubscribe = state.subscribe(({ threads }) => {
    for (const { id } of threads) {
      if (!isTemporary(id) || own.has(id)) continue;
      own.add(id);
      writeDown(id);
    }
  });
  const onHide = () => {
    // If the page comes back, the server gets the thread again with the next message.
    for (const id of own) transport.deleteThread(id).catch(() => undefined);
  };
  addEventListener('pagehide', onHide);
  return () => {
    unsubscribe();
    removeEventListener('pagehide', onHide);
  };
}

/** Writes an id down, and holds a lock as long as this page lives. */
function writeDown(id: string): void {
  try {
    localStorage.setItem(PREFIX + id, '');
  } catch {
    // If the page cannot say that it closes either, the server deletes the idle thread by itself.
  }
  navigator.locks?.request(PREFIX + id, () => new Promise(() => undefined)).catch(() => undefined);
}

async function deleteLeftovers(transport: Pick<Transport, 'deleteThread'>): Promise<void> {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(PREFIX)) continue;
    // Another tab that has the thread holds the lock.
    await navigator.locks.request(key, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      await transport.deleteThread(key.slice(PREFIX.length));
      localStorage.removeItem(key);
    });
  }
}
