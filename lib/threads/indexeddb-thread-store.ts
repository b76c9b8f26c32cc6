import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPObjectStore,
  type IDBPTransaction,
  openDB,
  type StoreNames,
} from 'idb';
import { readable } from '#lib/messages/readable.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { LedgerEntry } from '#lib/tools/execution/ledger.ts';
import type { WholeThread } from './adopt-thread.ts';
import type { MessageNode } from './message-tree.ts';
import { completeThread, type Thread } from './thread.ts';
import { StorageError, type StoreChange, type ThreadStore } from './thread-store.ts';

/** A stored message; `order` is its position among all messages of its thread. */
interface MessageRecord extends MessageNode {
  id: string;
  threadId: string;
  order: number;
}

interface StudioSchema extends DBSchema {
  threads: { key: string; value: Thread };
  messages: { key: string; value: MessageRecord; indexes: { thread: [string, number] } };
  calls: { key: string; value: LedgerEntry };
  settings: { key: string; value: unknown };
}

/**
 * Checks that a database accepts writes. If it refuses them, as in some private windows, closes it and rejects. Resolves if it
 * is only full.
 */
async function checkWrites(db: IDBPDatabase<StudioSchema>): Promise<void> {
  try {
    await db.put('settings', 1, 'write-check');
    await db.delete('settings', 'write-check');
  } catch (error) {
    if ((error as Error).name === 'QuotaExceededError') return;
    db.close();
    throw error;
  }
}

/**
 * The `ThreadStore` in this browser's IndexedDB, which all tabs share: threads, their messages, the ledger of calls, and
 * settings. The interface describes the methods.
 */
export class IndexedDbThreadStore implements ThreadStore {
  #db: IDBPDatabase<StudioSchema>;
  #channel: BroadcastChannel;
  #isClosed = false;
  #listeners = new Set<(change: StoreChange) => void>();

  /**
   * Opens the database, and creates it if there is none. Rejects with `StorageError` `unavailable` if it cannot be opened, or
   * accepts no writes.
   */
  static async open(name = 'roundtrip-studio'): Promise<IndexedDbThreadStore> {
    try {
      const db = await openDB<StudioSchema>(name, 1, {
        upgrade(database) {
          database.createObjectStore('threads', { keyPath: 'id' });
          database.createObjectStore('messages', { keyPath: 'id' }).createIndex('thread', ['threadId', 'order']);
          database.createObjectStore('calls', { keyPath: 'toolCallId' });
          database.createObjectStore('settings');
        },
        // Another tab is opening a newer version: this one must close the database; its next call will fail and say so.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      await checkWrites(db);
      return new IndexedDbThreadStore(db, name);
    } catch (error) {
      throw new StorageError('unavailable', error);
    }
  }

  private constructor(db: IDBPDatabase<StudioSchema>, name: string) {
    this.#db = db;
    this.#channel = new BroadcastChannel(`${name}:changes`);
    this.#channel.onmessage = ({ data }: MessageEvent<StoreChange>) => this.#notify(data);
  }

  /** Closes the database once the writes that have begun are done. Listeners are not notified of these writes any more. */
  close(): void {
    this.#isClosed = true;
    this.#channel.close();
    this.#db.close();
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async threads(): Promise<Thread[]> {
    return (await guard(() => this.#db.getAll('threads'))).map(completeThread);
  }

  async thread(id: string): Promise<Thread | undefined> {
    const stored = await guard(() => this.#db.get('threads', id));
    return stored === undefined ? undefined : completeThread(stored);
  }

  async putThread(thread: Thread): Promise<void> {
    await this.#write(['threads'], (tx) => tx.objectStore('threads').put(thread));
    this.#changed({ type: 'threads' });
  }

  async updateThread(id: string, update: (thread: Thread) => Thread): Promise<Thread | undefined> {
    return (await this.updateThreads([id], update))[0];
  }

  async updateThreads(ids: readonly string[], update: (thread: Thread) => Thread): Promise<Thread[]> {
    const updated = await this.#write(['threads'], async (tx) => {
      const threads = tx.objectStore('threads');
      const stored = await Promise.all(ids.map((id) => threads.get(id)));
      // All of them before the first is put: if one cannot be changed, none is.
      const changes = stored.flatMap((before) =>
        before === undefined ? [] : [{ before, next: update(completeThread(before)) }],
      );
      await Promise.all(changes.map(({ before, next }) => (next === before ? undefined : threads.put(next))));
      return changes.map(({ next }) => next);
    });
    this.#changed({ type: 'threads' });
    return updated;
  }

  async deleteThreads(ids: readonly string[], mayGo: (thread: Thread) => boolean = () => true): Promise<Thread[]> {
    const removed = await this.#write(['threads', 'messages', 'calls'], async (tx) => {
      const found = await Promise.all(ids.map((id) => tx.objectStore('threads').get(id)));
      const threads = found.flatMap((thread) => (thread === undefined ? [] : completeThread(thread))).filter(mayGo);
      // One after the other, so that the messages of only one thread are in memory.
      for (const { id } of threads) {
        const records = await tx.objectStore('messages').index('thread').getAll(threadRange(id));
        const requests: Promise<void>[] = [tx.objectStore('threads').delete(id)];
        for (const { id: messageId, message } of records) {
          requests.push(tx.objectStore('messages').delete(messageId));
          for (const part of readable(messageId, message).parts) {
            if (part.type === 'tool-call') requests.push(tx.objectStore('calls').delete(part.toolCallId));
          }
        }
        await Promise.all(requests);
      }
      return threads;
    });
    if (removed.length > 0) this.#changed({ type: 'threads' });
    return removed;
  }

  async addThread({ thread, messages: nodes }: WholeThread): Promise<void> {
    await this.#write(['threads', 'messages'], async (tx) => {
      const messages = tx.objectStore('messages');
      await Promise.all([
        ...nodes.map(({ message, parentId }, order) =>
          messages.add({ id: message.id, threadId: thread.id, parentId, message, order }),
        ),
        tx.objectStore('threads').add(thread),
      ]);
    });
    this.#changed({ type: 'messages', threadId: thread.id });
    this.#changed({ type: 'threads' });
  }

  async messages(threadId: string): Promise<MessageNode[]> {
    return guard(async () => {
      const index = this.#db.transaction('messages').store.index('thread');
      const nodes: MessageNode[] = [];
      // In pieces, so that a long thread does not keep the page busy at one go.
      for (let next = 0; ; ) {
        const records = await index.getAll(threadRange(threadId, next), READ_MESSAGES);
        nodes.push(...records.map(nodeOf));
        const last = records.at(-1);
        if (last === undefined || records.length < READ_MESSAGES) return nodes;
        next = last.order + 1;
      }
    });
  }

  async branchEnd(threadId: string, headId: string, max: number): Promise<MessageNode[]> {
    return guard(async () => {
      const messages = this.#db.transaction('messages').store;
      const end: MessageNode[] = [];
      for (let id: string | null = headId; id !== null && end.length < max; ) {
        const record: MessageRecord | undefined = await messages.get(id);
        if (record?.threadId !== threadId) break;
        const node = nodeOf(record);
        // A damaged thread may go round in circles.
        if (end.some(({ message }) => message.id === node.message.id)) break;
        end.push(node);
        id = node.parentId;
      }
      return end.reverse();
    });
  }

  async putMessages(threadId: string, nodes: readonly MessageNode[], actor?: string): Promise<void> {
    const isStored = await this.#write(['messages', 'threads'], async (tx) => {
      const thread = actor === undefined ? undefined : await tx.objectStore('threads').get(threadId);
      if (thread?.actor !== actor) return false;
      await putNodes(tx.objectStore('messages'), threadId, nodes);
      return true;
    });
    if (isStored) this.#changed({ type: 'messages', threadId });
  }

  async appendMessages(
    threadId: string,
    nodes: readonly MessageNode[],
    update: (thread: Thread) => Thread,
  ): Promise<Thread | undefined> {
    const thread = await this.#write(['messages', 'threads'], async (tx) => {
      const threads = tx.objectStore('threads');
      const present = await threads.get(threadId);
      if (present === undefined) return undefined;
      const next = update(completeThread(present));
      await threads.put(next);
      await putNodes(tx.objectStore('messages'), threadId, nodes);
      return next;
    });
    if (thread === undefined) return undefined;
    this.#changed({ type: 'messages', threadId });
    this.#changed({ type: 'threads' });
    return thread;
  }

  get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return guard(() => this.#db.get('calls', toolCallId));
  }

  claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean> {
    return this.#write(['calls'], async (tx) => {
      const calls = tx.objectStore('calls');
      const present = await calls.get(entry.toolCallId);
      const free = present?.claimant === expected && present?.result === undefined;
      if (free) await calls.put(entry);
      return free;
    });
  }

  finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined> {
    return this.#write(['calls'], async (tx) => {
      const calls = tx.objectStore('calls');
      const present = await calls.get(result.toolCallId);
      const mine = present?.claimant === claimant && present.result === undefined;
      if (mine) await calls.put({ ...present, result });
      return mine ? result : present?.result;
    });
  }

  setting(key: string): Promise<unknown> {
    return guard(() => this.#db.get('settings', key));
  }

  async settingsUnder(prefix: string): Promise<Map<string, unknown>> {
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    const [keys, values] = await guard(() => {
      const settings = this.#db.transaction('settings').store;
      return Promise.all([settings.getAllKeys(range), settings.getAll(range)]);
    });
    return new Map(keys.map((key, index) => [key.slice(prefix.length), values[index]]));
  }

  async deleteSetting(key: string, mayGo: (value: unknown) => boolean = () => true): Promise<void> {
    await this.#write(['settings'], async (tx) => {
      const settings = tx.objectStore('settings');
      if (mayGo(await settings.get(key))) await settings.delete(key);
    });
    this.#changed({ type: 'settings' });
  }

  putSetting(key: string, value: unknown): Promise<void> {
    return this.putSettings(new Map([[key, value]]));
  }

  async putSettings(values: ReadonlyMap<string, unknown>): Promise<void> {
    await this.#write(['settings'], (tx) =>
      Promise.all([...values].map(async ([key, value]) => tx.objectStore('settings').put(value, key))),
    );
    this.#changed({ type: 'settings' });
  }

  async updateSetting(key: string, update: (value: unknown) => unknown): Promise<void> {
    await this.#write(['settings'], async (tx) => {
      const settings = tx.objectStore('settings');
      await settings.put(update(await settings.get(key)), key);
    });
    this.#changed({ type: 'settings' });
  }

  /** Runs one transaction: complete when this resolves, without effect if it rejects. */
  #write<Name extends StoreNames<StudioSchema>, T>(
    names: Name[],
    work: (tx: IDBPTransaction<StudioSchema, Name[], 'readwrite'>) => Promise<T>,
  ): Promise<T> {
    return guard(async () => {
      const tx = this.#db.transaction(names, 'readwrite');
      // A failure is thrown below; this prevents an unhandled rejection before that.
      const ended = tx.done.catch(() => undefined);
      try {
        const result = await work(tx);
        await tx.done;
        return result;
      } catch (error) {
        // If a request could not even be made, the ones before it must not be committed.
        abort(tx);
        await ended;
        throw tx.error ?? error;
      }
    });
  }

  #changed(change: StoreChange): void {
    if (this.#isClosed) return;
    this.#channel.postMessage(change);
    this.#notify(change);
  }

  #notify(change: StoreChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** The number of messages that are read at once. */
const READ_MESSAGES = 200;

const threadRange = (threadId: string, from = 0): IDBKeyRange =>
  IDBKeyRange.bound([threadId, from], [threadId, Number.POSITIVE_INFINITY]);

const nodeOf = ({ id, message, parentId }: MessageRecord): MessageNode => ({
  message: readable(id, message),
  parentId: parentId ?? null,
});

/** Stores messages: new ones after the existing ones; those that are stored already keep their place. */
async function putNodes(
  messages: IDBPObjectStore<StudioSchema, ('messages' | 'threads')[], 'messages', 'readwrite'>,
  threadId: string,
  nodes: readonly MessageNode[],
): Promise<void> {
  const [last, ...present] = await Promise.all([
    messages.index('thread').openKeyCursor(threadRange(threadId), 'prev'),
    ...nodes.map(({ message }) => messages.get(message.id)),
  ]);
  let next = last === null ? 0 : last.key[1] + 1;
  for (const [index, { message, parentId }] of nodes.entries()) {
    const known = present[index];
    await messages.put({ id: message.id, threadId, parentId, message, order: known?.order ?? next++ });
  }
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}

async function guard<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new StorageError('full', error);
    throw new StorageError(
      error instanceof DOMException && error.name === 'InvalidStateError' ? 'unavailable' : 'failed',
      error,
    );
  }
}
