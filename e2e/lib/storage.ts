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

/** A node as the log has it: parent, name, type (0 a file, 1 a directory), size, time, mode, version, blob. */
type StoredNode = [number, string, number, number, number, number, number, number];

interface StoredCommit {
  changes: [id: number, before: StoredNode | null, after: StoredNode | null][];
  inline?: [blob: number, data: Uint8Array][];
  /** Those that share its record. */
  following?: Omit<StoredCommit, 'following'>[];
}

/** The workspace's text files by path, as this browser's log of commits has them; it must not have been folded yet. */
export async function readWorkspace(page: Page): Promise<Map<string, string>> {
  const files = await page.evaluate(async () => {
    const open = indexedDB.open('roundtrip-workspace');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
    const tx = db.transaction(['log', 'blobs']);
    const read = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const [commits, keys, blobs] = await Promise.all([
      read<StoredCommit[]>(tx.objectStore('log').getAll()),
      read(tx.objectStore('blobs').getAllKeys()),
      read<(Uint8Array<ArrayBuffer> | Blob)[]>(tx.objectStore('blobs').getAll()),
    ]);
    db.close();
    const bytes = await Promise.all(blobs.map((stored) => new Blob([stored]).arrayBuffer()));
    const contents = new Map<number, ArrayBuffer | Uint8Array>(
      keys.map((key, index) => [Number(key), bytes[index] as ArrayBuffer]),
    );
    const nodes = new Map<number, StoredNode>();
    for (const { changes, inline = [] } of commits.flatMap((commit) => [commit, ...(commit.following ?? [])])) {
      for (const [blob, data] of inline) contents.set(blob, data);
      for (const [id, , after] of changes) {
        if (after === null) nodes.delete(id);
        else nodes.set(id, after);
      }
    }
    const pathOf = (node: StoredNode): string => {
      const parent = nodes.get(node[0]);
      return `${parent === undefined ? '' : pathOf(parent)}/${node[1]}`;
    };
    return [...nodes.values()]
      .filter(([, , type]) => type === 0)
      .map((node): [string, string] => [pathOf(node), new TextDecoder().decode(contents.get(node[7]))]);
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
      const open = (name: string, version: number, upgrade: (db: IDBDatabase) => void) =>
        new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name, version);
          request.onupgradeneeded = () => upgrade(request.result);
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const done = (tx: IDBTransaction) =>
        new Promise<void>((resolve, reject) => {
          tx.oncomplete = () => resolve();
          tx.onerror = () => reject(tx.error);
        });
      const workspace = await open('roundtrip-workspace', 2, (db) => {
        db.createObjectStore('log').createIndex('toolCallId', 'author.toolCallId');
        for (const store of ['blobs', 'snapshot', 'head']) db.createObjectStore(store);
      });
      const ids = new Map([['', 0]]);
      const commit = { author: { type: 'person' }, time: 1, changes: [] as unknown[], inline: [] as unknown[] };
      const add = (path: string, type: 0 | 1, bytes: Uint8Array) => {
        if (ids.has(path)) return;
        const id = 2 ** 21 + ids.size;
        ids.set(path, id);
        const slash = path.lastIndexOf('/');
        const node = [ids.get(path.slice(0, slash)), path.slice(slash + 1), type];
        const blob = bytes.byteLength === 0 ? 0 : id;
        commit.changes.push([id, null, [...node, bytes.byteLength, 1, type === 0 ? 0o644 : 0o755, 1, blob]]);
        if (blob !== 0) commit.inline.push([blob, bytes]);
      };
      for (const [path, content] of Object.entries(contents)) {
        const segments = path.split('/').slice(1, -1);
        segments.forEach((_, index) => {
          add(`/${segments.slice(0, index + 1).join('/')}`, 1, new Uint8Array());
        });
        add(path, 0, new TextEncoder().encode(content));
      }
      const tx = workspace.transaction('log', 'readwrite');
      tx.objectStore('log').put(commit, 1);
      await done(tx);
      workspace.close();
      const studio = await open('roundtrip-studio', 1, (db) => {
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
