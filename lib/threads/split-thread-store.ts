import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { LedgerEntry } from '#lib/tools/execution/ledger.ts';
import type { WholeThread } from './adopt-thread.ts';
import type { MessageNode } from './message-tree.ts';
import { isTemporary } from './temporary.ts';
import type { Thread } from './thread.ts';
import { StorageError, type StoreChange, type ThreadStore } from './thread-store.ts';

/**
 * Keeps temporary threads in the memory of this page, and everything else in the given store. A call's id does not say to which
 * thread it belongs, so code that acts for a thread must use the store from `of`. Refuses, with `StorageError`, to store a
 * lasting thread in a temporary workspace, whose files it would lose.
 */
export class SplitThreadStore implements ThreadStore {
  readonly #lasting: ThreadStore;
  readonly #listeners = new Set<(change: StoreChange) => void>();
  /** The store of temporary threads; undefined until there is one. */
  #memory: Promise<ThreadStore> | undefined;

  constructor(lasting: ThreadStore) {
    this.#lasting = lasting;
    lasting.subscribe((change) => this.#notify(change));
  }

  /**
   * The store for a thread, its messages, and its calls, whether or not it exists yet: the one in memory if the thread is
   * temporary.
   */
  async of(threadId: string): Promise<ThreadStore> {
    return isTemporary(threadId) ? this.#loadMemory() : this.#lasting;
  }

  close(): void {
    this.#listeners.clear();
    this.#lasting.close();
    // A store that could not be loaded need not be closed.
    this.#memory?.then((memory) => memory.close()).catch(() => undefined);
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async threads(): Promise<Thread[]> {
    const stores = [this.#lasting, ...(this.#memory === undefined ? [] : [await this.#memory])];
    return (await Promise.all(stores.map((store) => store.threads()))).flat();
  }

  thread(id: string): Promise<Thread | undefined> {
    return this.#at(id, (store) => store.thread(id));
  }

  async putThread(thread: Thread): Promise<void> {
    checkFiles(thread);
    return this.#at(thread.id, (store) => store.putThread(thread));
  }

  updateThread(id: string, update: (thread: Thread) => Thread): Promise<Thread | undefined> {
    return this.#at(id, (store) => store.updateThread(id, update));
  }

  async updateThreads(ids: readonly string[], update: (thread: Thread) => Thread): Promise<Thread[]> {
    return this.#atEach(ids, (store, own) => store.updateThreads(own, update));
  }

  async deleteThreads(ids: readonly string[], mayGo?: (thread: Thread) => boolean): Promise<Thread[]> {
    return this.#atEach(ids, (store, own) => store.deleteThreads(own, mayGo));
  }

  async addThread(whole: WholeThread): Promise<void> {
    checkFiles(whole.thread);
    return this.#at(whole.thread.id, (store) => store.addThread(whole));
  }

  messages(threadId: string): Promise<MessageNode[]> {
    return this.#at(threadId, (store) => store.messages(threadId));
  }

  branchEnd(threadId: string, headId: string, max: number): Promise<MessageNode[]> {
    return this.#at(threadId, (store) => store.branchEnd(threadId, headId, max));
  }

  putMessages(threadId: string, nodes: readonly MessageNode[], actor?: string): Promise<void> {
    return this.#at(threadId, (store) => store.putMessages(threadId, nodes, actor));
  }

  appendMessages(
    threadId: string,
    nodes: readonly MessageNode[],
    update: (thread: Thread) => Thread,
  ): Promise<Thread | undefined> {
    return this.#at(threadId, (store) => store.appendMessages(threadId, nodes, update));
  }

  async get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return (await (await this.#memory)?.get(toolCallId)) ?? this.#lasting.get(toolCallId);
  }

  claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean> {
    return this.#lasting.claim(entry, expected);
  }

  finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined> {
    return this.#lasting.finish(result, claimant);
  }

  setting(key: string): Promise<unknown> {
    return this.#lasting.setting(key);
  }

  settingsUnder(prefix: string): Promise<Map<string, unknown>> {
    return this.#lasting.settingsUnder(prefix);
  }

  putSetting(key: string, value: unknown): Promise<void> {
    return this.#lasting.putSetting(key, value);
  }

  putSettings(values: ReadonlyMap<string, unknown>): Promise<void> {
    return this.#lasting.putSettings(values);
  }

  updateSetting(key: string, update: (value: unknown) => unknown): Promise<void> {
    return this.#lasting.updateSetting(key, update);
  }

  deleteSetting(key: string, mayGo?: (value: unknown) => boolean): Promise<void> {
    return this.#lasting.deleteSetting(key, mayGo);
  }

  #at<T>(threadId: string, work: (store: ThreadStore) => Promise<T>): Promise<T> {
    return isTemporary(threadId) ? this.#loadMemory().then(work) : work(this.#lasting);
  }

  /** Changes threads in both stores: each gets the ids of its own threads. */
  async #atEach(
    ids: readonly string[],
    change: (store: ThreadStore, own: readonly string[]) => Promise<Thread[]>,
  ): Promise<Thread[]> {
    const temporary = ids.filter(isTemporary);
    const lasting = ids.filter((id) => !isTemporary(id));
    return [
      ...(lasting.length === 0 ? [] : await change(this.#lasting, lasting)),
      ...(temporary.length === 0 ? [] : await change(await this.#loadMemory(), temporary)),
    ];
  }

  #loadMemory(): Promise<ThreadStore> {
    this.#memory ??= import('./memory-thread-store.ts').then(({ MemoryThreadStore }) => {
      const memory = new MemoryThreadStore();
      memory.subscribe((change) => this.#notify(change));
      return memory;
    });
    // If its code could not be loaded, the next use tries again.
    this.#memory.catch(() => {
      this.#memory = undefined;
    });
    return this.#memory;
  }

  #notify(change: StoreChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function checkFiles({ id, workspaceId }: Thread): void {
  if (isTemporary(workspaceId) && !isTemporary(id))
    throw new StorageError('failed', new Error('A thread that is stored cannot use the files of a temporary thread.'));
}
