import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { type BrowserData, readBrowserData } from '#e2e/profiles/browser-data.ts';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import type { BenchThread } from './threads.ts';

/**
 * Returns the data that a browser with these threads stores, as written by the studio's own code. Not to be called
 * concurrently.
 */
export async function storedThreads(threads: readonly BenchThread[]): Promise<BrowserData> {
  globalThis.indexedDB = new IDBFactory();
  const store = await IndexedDbThreadStore.open();
  await store.putSetting('settings', { defaultModel: 'scripted', theme: 'light', namesThreads: false });
  for (const { thread, messages } of threads) await store.addThread({ thread, messages });
  store.close();
  return readBrowserData();
}
