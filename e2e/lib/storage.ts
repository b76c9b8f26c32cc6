import type { Page } from '@playwright/test';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';

/** A thread's messages as this browser stores them, oldest first, all branches. */
export function readMessages(page: Page, threadId: string): Promise<Message[]> {
  return page.evaluate(async (id) => {
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
      .map(({ message }) => message);
  }, threadId);
}

export async function readTurns(page: Page, threadId: string): Promise<AssistantMessage[]> {
  const messages = await readMessages(page, threadId);
  return messages.filter((message): message is AssistantMessage => message.role === 'assistant');
}

interface StoredEntry {
  type: string;
  contentId?: string;
}

/** The workspace's text files by path, as this browser stores them. */
export async function readWorkspace(page: Page): Promise<Map<string, string>> {
  const files = await page.evaluate(async () => {
    const open = indexedDB.open('roundtrip-workspace');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
    const tx = db.transaction(['entries', 'contents']);
    const read = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const [paths, entries, ids, contents] = await Promise.all([
      read(tx.objectStore('entries').getAllKeys()),
      read<StoredEntry[]>(tx.objectStore('entries').getAll()),
      read(tx.objectStore('contents').getAllKeys()),
      read<Uint8Array[]>(tx.objectStore('contents').getAll()),
    ]);
    db.close();
    const byId = new Map(ids.map((id, index) => [String(id), contents[index]]));
    return entries.flatMap((entry, index): [string, string][] =>
      entry.type === 'file' ? [[String(paths[index]), new TextDecoder().decode(byId.get(entry.contentId ?? ''))]] : [],
    );
  });
  return new Map(files);
}

/**
 * Fills this browser's workspace, and its settings if given, before the studio is opened in it for the first time.
 * Knows the storage format, so that a test begins in the state it names and in no other.
 */
export async function prepareWorkspace(
  page: Page,
  files: Readonly<Record<string, string>>,
  settings?: Readonly<Record<string, unknown>>,
): Promise<void> {
  // Any document of the origin will do, as long as it does not open the studio.
  await page.goto('/icon.svg');
  await page.evaluate(
    async ({ contents, chosen }) => {
      const open = (name: string, upgrade: (db: IDBDatabase) => void) =>
        new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name, 1);
          request.onupgradeneeded = () => upgrade(request.result);
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const done = (tx: IDBTransaction) =>
        new Promise<void>((resolve, reject) => {
          tx.oncomplete = () => resolve();
          tx.onerror = () => reject(tx.error);
        });
      const workspace = await open('roundtrip-workspace', (db) => {
        for (const store of ['entries', 'contents', 'commits']) db.createObjectStore(store);
      });
      const tx = workspace.transaction(['entries', 'contents', 'commits'], 'readwrite');
      const directory = { type: 'directory', size: 0, mtimeMs: 1, mode: 0o755, version: 1 };
      for (const [path, content] of Object.entries(contents)) {
        const segments = path.split('/').slice(1, -1);
        segments.forEach((_, index) => {
          tx.objectStore('entries').put(directory, `/${segments.slice(0, index + 1).join('/')}`);
        });
        const bytes = new TextEncoder().encode(content);
        const file = { type: 'file', size: bytes.byteLength, mtimeMs: 1, mode: 0o644, version: 1, contentId: path };
        tx.objectStore('entries').put(file, path);
        tx.objectStore('contents').put(bytes, path);
      }
      tx.objectStore('commits').put({ author: { type: 'person' }, changes: [] }, 1);
      await done(tx);
      workspace.close();
      const studio = await open('roundtrip-studio', (db) => {
        db.createObjectStore('threads', { keyPath: 'id' });
        db.createObjectStore('messages', { keyPath: 'id' }).createIndex('thread', ['threadId', 'order']);
        db.createObjectStore('calls', { keyPath: 'toolCallId' });
        db.createObjectStore('settings');
      });
      const stored = studio.transaction('settings', 'readwrite');
      stored.objectStore('settings').put(true, 'workspace-seeded');
      if (chosen !== undefined) stored.objectStore('settings').put(chosen, 'settings');
      await done(stored);
      studio.close();
    },
    { contents: files, chosen: settings },
  );
}
