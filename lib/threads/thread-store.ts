import { messageOf } from '#lib/base/message-of.ts';
import type { CallLedger } from '#lib/tools/execution/ledger.ts';
import type { WholeThread } from './adopt-thread.ts';
import type { MessageNode } from './message-tree.ts';
import type { Thread } from './thread.ts';

/** The kind of data that was changed in a store. */
export type StoreChange = { type: 'threads' } | { type: 'messages'; threadId: string } | { type: 'settings' };

/**
 * Thrown when a store cannot do what was asked; the message is that of the underlying error. `unavailable`: the storage cannot
 * be opened, or is closed; `full`: there is no room left; `failed`: anything else, such as a thread that was deleted.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: 'unavailable' | 'full' | 'failed';

  constructor(code: 'unavailable' | 'full' | 'failed', cause: unknown) {
    super(messageOf(cause), { cause });
    this.code = code;
  }
}

/**
 * Threads, messages, the call ledger and settings: the source of truth for every conversation. A write is atomic and has
 * been stored when it resolves; listeners are notified after that, those in other tabs, too. Rejects only with
 * `StorageError`.
 */
export interface ThreadStore extends CallLedger {
  /** Ends the use of the store: from now on, everything rejects with `StorageError` `unavailable`. */
  close(): void;

  /** Calls back for changes made here and in other tabs, until the returned function is called. */
  subscribe(listener: (change: StoreChange) => void): () => void;

  /** All threads, those in the trash included. */
  threads(): Promise<Thread[]>;

  /** The stored thread; undefined if there is none. */
  thread(id: string): Promise<Thread | undefined>;

  /** Stores a thread, in place of the one with its id. */
  putThread(thread: Thread): Promise<void>;

  /** Changes a thread in one transaction; resolves with the stored thread, or undefined if it no longer exists. */
  updateThread(id: string, update: (thread: Thread) => Thread): Promise<Thread | undefined>;

  /** Changes several threads in one transaction; resolves with those that exist, as they are stored. */
  updateThreads(ids: readonly string[], update: (thread: Thread) => Thread): Promise<Thread[]>;

  /**
   * Removes threads with their messages and ledger entries in one transaction, except for threads for which `mayGo`
   * returns false. Resolves with the removed threads.
   */
  deleteThreads(ids: readonly string[], mayGo?: (thread: Thread) => boolean): Promise<Thread[]>;

  /** Stores a thread with its messages in one transaction. If any of the ids is taken, rejects and changes nothing. */
  addThread(thread: WholeThread): Promise<void>;

  /**
   * The thread's messages in the order in which they were created. An empty message stands for each damaged one (see
   * `readable`).
   */
  messages(threadId: string): Promise<MessageNode[]>;

  /** The last messages of the branch that ends at `headId`, oldest first: at most `max`. Reads no others. */
  branchEnd(threadId: string, headId: string, max: number): Promise<MessageNode[]>;

  /**
   * Stores messages atomically, new ones after the existing ones. `actor`: the caller's own id from `Thread.actor`; if
   * another page has taken the thread over since, nothing is stored. Not checked if undefined.
   */
  putMessages(threadId: string, nodes: readonly MessageNode[], actor?: string): Promise<void>;

  /**
   * Stores new messages and changes their thread in one transaction, so that neither is ever seen without the other.
   * Resolves with the stored thread, or undefined if it no longer exists; then nothing is stored.
   */
  appendMessages(
    threadId: string,
    nodes: readonly MessageNode[],
    update: (thread: Thread) => Thread,
  ): Promise<Thread | undefined>;

  /** The value of a setting; undefined if there is none. */
  setting(key: string): Promise<unknown>;

  /** The settings whose keys start with a prefix, by the rest of the key. */
  settingsUnder(prefix: string): Promise<Map<string, unknown>>;

  /** Stores a setting: any value that can be cloned. */
  putSetting(key: string, value: unknown): Promise<void>;

  /** Stores settings by their keys, in one transaction. */
  putSettings(values: ReadonlyMap<string, unknown>): Promise<void>;

  /** Changes a setting in one transaction. `update` gets undefined if there is none. */
  updateSetting(key: string, update: (value: unknown) => unknown): Promise<void>;

  /** Deletes a setting, unless `mayGo` returns false for its value; checks and deletes in one transaction. */
  deleteSetting(key: string, mayGo?: (value: unknown) => boolean): Promise<void>;
}
