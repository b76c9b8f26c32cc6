import { SerialQueue } from '#lib/base/serial-queue.ts';
import 'fake-indexeddb/auto';
import type { Page } from '@playwright/test';
import { IDBFactory } from 'fake-indexeddb';
import { fillDatabases, layoutEntry, type StartingData } from '#components/test/starting-data.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { type BrowserData, readBrowserData, writeBrowserData } from '../profiles/browser-data.ts';

const WORKSPACE = 'roundtrip-workspace';

/**
 * A thread's messages as stored in this browser, oldest first, including all branches. Without their parts, it takes
 * little time even if they contain images.
 */
export function readMessages(page: Page, threadId: string, { parts = true } = {}): Promise<Message[]> {
  return page.evaluate(
    async ({ id, isWhole }) => {
      const open = indexedDB.open('roundtrip-studio');
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      const request = db.transaction('messages').objectStore('messages').getAll();
      const records = await new Promise<{ threadId: string; order: number; message: Message }[]>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      db.close();
      return records
        .filter((record) => record.threadId === id)
        .sort((a, b) => a.order - b.order)
        .map(({ message }) => (isWhole ? message : { ...message, parts: [] }));
    },
    { id: threadId, isWhole: parts },
  );
}

/** All threads as stored in this browser, with their messages, oldest first. */
export function readThreads(
  page: Page,
): Promise<{ id: string; headId: string | null; messages: { message: Message; parentId: string | null }[] }[]> {
  return page.evaluate(async () => {
    const open = indexedDB.open('roundtrip-studio');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
    const all = <T>(name: string) =>
      new Promise<T[]>((resolve, reject) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const threads = await all<{ id: string; headId: string | null }>('threads');
    const records = await all<{ threadId: string; order: number; message: Message; parentId: string | null }>(
      'messages',
    );
    db.close();
    return threads.map(({ id, headId }) => ({
      id,
      headId,
      messages: records.filter(({ threadId }) => threadId === id).sort((one, other) => one.order - other.order),
    }));
  });
}

export async function readTurns(
  page: Page,
  threadId: string,
  options: { parts?: boolean } = {},
): Promise<AssistantMessage[]> {
  const messages = await readMessages(page, threadId, options);
  return messages.filter((message): message is AssistantMessage => message.role === 'assistant');
}

const queue = new SerialQueue();

/** Runs the studio's own storage code here, on in-memory databases. One at a time, because they share a global. */
function withMemoryDatabases<T>(work: () => Promise<T>): Promise<T> {
  return queue.run(() => {
    globalThis.indexedDB = new IDBFactory();
    return work();
  });
}

/** The text files of this browser's first workspace, by path. */
export async function readWorkspace(page: Page): Promise<Map<string, string>> {
  const data = await page.evaluate(readBrowserData, [WORKSPACE]);
  return withMemoryDatabases(async () => {
    await writeBrowserData({ ...data, localStorage: [] });
    const storage = await IndexedDbStorage.open(WORKSPACE);
    const fileSystem = new TreeFileSystem(storage);
    const files = new Map<string, string>();
    const decoder = new TextDecoder();
    const readFolder = async (folder: string): Promise<void> => {
      for (const { name, type } of await fileSystem.readdir(folder)) {
        const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
        if (type === 'directory') await readFolder(path);
        else if (type === 'file') files.set(path, decoder.decode(await fileSystem.readFile(path)));
      }
    };
    await readFolder('/');
    storage.close();
    return files;
  });
}

/**
 * Fills this browser's storage before the studio is opened in it for the first time.
 * The studio's own code writes the databases, so a test starts in exactly the state that it specifies.
 */
export async function prepareWorkspace(page: Page, start: StartingData, url = ''): Promise<void> {
  const data = await withMemoryDatabases((): Promise<BrowserData> => writeDatabases(start));
  // Any document of the origin will do, as long as it does not open the studio.
  await page.goto(`${url}/icon.svg`);
  if ((await page.evaluate(() => indexedDB.databases())).length > 0)
    throw new Error('The studio was opened in this browser before. Prepare a workspace in a new one.');
  await page.evaluate(writeBrowserData, data);
}

async function writeDatabases(start: StartingData): Promise<BrowserData> {
  await fillDatabases(start);
  const data = await readBrowserData();
  return { ...data, localStorage: [...data.localStorage, layoutEntry(start)] };
}
