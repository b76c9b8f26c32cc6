import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { LedgerEntry } from '#lib/tools/execution/ledger.ts';
import type { WholeThread } from './adopt-thread.ts';
import type { MessageNode } from './message-tree.ts';
import { completeThread, type Thread } from './thread.ts';
import { StorageError, type StoreChange, type ThreadStore } from './thread-store.ts';

/**
 * A `ThreadStore` (threads, their messages, the ledger of calls, and settings) in memory, which is lost with its tab or
 * process: for browsers that store nothing, and for programs that need to store nothing.
 */
export class MemoryThreadStore implements ThreadStore {
  readonly #threads = new Map<string, Thread>();
  /** Messages by their ids, in the order in which they were created, by thread id. */
  readonly #messages = new Map<string, Map<string, MessageNode>>();
  readonly #calls = new Map<string, LedgerEntry>();
  readonly #settings = new Map<string, unknown>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #isClosed = false;

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async threads(): Promise<Thread[]> {
    return this.#copy([...this.#threads.values()]).map(completeThread);
  }

  async thread(id: string): Promise<Thread | undefined> {
    const thread = this.#copy(this.#threads.get(id));
    return thread && completeThread(thread);
  }

  async putThread(thread: Thread): Promise<void> {
    this.#threads.set(thread.id, this.#copy(thread));
    this.#changed({ type: 'threads' });
  }

  async updateThread(id: string, update: (thread: Thread) => Thread): Promise<Thread | undefined> {
    return (await this.updateThreads([id], update))[0];
  }

  async updateThreads(ids: readonly string[], update: (thread: Thread) => Thread): Promise<Thread[]> {
    const updated = ids
      .flatMap((id) => this.#copy(this.#threads.get(id)) ?? [])
      .map((thread) => update(completeThread(thread)));
    for (const copy of this.#copy(updated)) this.#threads.set(copy.id, copy);
    this.#changed({ type: 'threads' });
    return updated;
  }

  async deleteThreads(ids: readonly string[], mayGo: (thread: Thread) => boolean = () => true): Promise<Thread[]> {
    const found = ids.flatMap((id) => this.#copy(this.#threads.get(id)) ?? []);
    const removed = found.map(completeThread).filter(mayGo);
    for (const { id } of removed) {
      for (const { message } of this.#messages.get(id)?.values() ?? [])
        for (const part of message.parts) if (part.type === 'tool-call') this.#calls.delete(part.toolCallId);
      this.#threads.delete(id);
      this.#messages.delete(id);
    }
    if (removed.length > 0) this.#changed({ type: 'threads' });
    return removed;
  }

  async addThread({ thread, messages }: WholeThread): Promise<void> {
    const taken = new Set([...this.#messages.values()].flatMap((nodes) => [...nodes.keys()]));
    if (this.#threads.has(thread.id) || messages.some(({ message }) => taken.has(message.id)))
      throw new StorageError('failed', new Error('The thread, or one of its messages, is already stored.'));
    const nodes = this.#copy(messages);
    this.#threads.set(thread.id, this.#copy(thread));
    this.#messages.set(thread.id, new Map(nodes.map((node) => [node.message.id, node])));
    this.#changed({ type: 'messages', threadId: thread.id });
    this.#changed({ type: 'threads' });
  }

  async messages(threadId: string): Promise<MessageNode[]> {
    return this.#copy([...(this.#messages.get(threadId)?.values() ?? [])]);
  }

  async branchEnd(threadId: string, headId: string, max: number): Promise<MessageNode[]> {
    const nodes = this.#messages.get(threadId);
    const end: MessageNode[] = [];
    for (let id: string | null = headId; id !== null && end.length < max; ) {
      const node: MessageNode | undefined = nodes?.get(id);
      if (node === undefined) break;
      end.push(node);
      id = node.parentId;
    }
    return this.#copy(end.reverse());
  }

  async putMessages(threadId: string, nodes: readonly MessageNode[], actor?: string): Promise<void> {
    const copies = this.#copy(nodes);
    if (actor !== undefined && this.#threads.get(threadId)?.actor !== actor) return;
    this.#put(threadId, copies);
    this.#changed({ type: 'messages', threadId });
  }

  async appendMessages(
    threadId: string,
    nodes: readonly MessageNode[],
    update: (thread: Thread) => Thread,
  ): Promise<Thread | undefined> {
    const present = this.#threads.get(threadId);
    if (present === undefined) return undefined;
    const copies = this.#copy(nodes);
    const thread = update(completeThread(this.#copy(present)));
    this.#threads.set(threadId, this.#copy(thread));
    this.#put(threadId, copies);
    this.#changed({ type: 'messages', threadId });
    this.#changed({ type: 'threads' });
    return thread;
  }

  async get(toolCallId: string): Promise<LedgerEntry | undefined> {
    return this.#copy(this.#calls.get(toolCallId));
  }

  async claim(entry: LedgerEntry, expected: string | undefined): Promise<boolean> {
    const copy = this.#copy(entry);
    const present = this.#calls.get(entry.toolCallId);
    const isFree = present?.claimant === expected && present?.result === undefined;
    if (isFree) this.#calls.set(entry.toolCallId, copy);
    return isFree;
  }

  async finish(result: ToolResult, claimant: string): Promise<ToolResult | undefined> {
    const copy = this.#copy(result);
    const present = this.#calls.get(result.toolCallId);
    const isMine = present?.claimant === claimant && present.result === undefined;
    if (isMine) this.#calls.set(result.toolCallId, { ...present, result: copy });
    return isMine ? result : this.#copy(present?.result);
  }

  async setting(key: string): Promise<unknown> {
    return this.#copy(this.#settings.get(key));
  }

  async settingsUnder(prefix: string): Promise<Map<string, unknown>> {
    const found = [...this.#settings].filter(([key]) => key.startsWith(prefix));
    return new Map(found.sort().map(([key, value]) => [key.slice(prefix.length), this.#copy(value)]));
  }

  putSetting(key: string, value: unknown): Promise<void> {
    return this.putSettings(new Map([[key, value]]));
  }

  async putSettings(values: ReadonlyMap<string, unknown>): Promise<void> {
    for (const [key, value] of this.#copy([...values])) this.#settings.set(key, value);
    this.#changed({ type: 'settings' });
  }

  async updateSetting(key: string, update: (value: unknown) => unknown): Promise<void> {
    await this.putSetting(key, update(this.#copy(this.#settings.get(key))));
  }

  async deleteSetting(key: string, mayGo: (value: unknown) => boolean = () => true): Promise<void> {
    if (mayGo(this.#copy(this.#settings.get(key)))) this.#settings.delete(key);
    this.#changed({ type: 'settings' });
  }

  #put(threadId: string, nodes: readonly MessageNode[]): void {
    const stored = this.#messages.get(threadId) ?? new Map<string, MessageNode>();
    this.#messages.set(threadId, stored);
    for (const node of nodes) stored.set(node.message.id, node);
  }

  /** A deep copy, so that the store and its callers share no value. Throws `StorageError`. */
  #copy<T>(value: T): T {
    if (this.#isClosed) throw new StorageError('unavailable', new Error('The store is closed.'));
    try {
      return structuredClone(value);
    } catch (error) {
      throw new StorageError('failed', error);
    }
  }

  #changed(change: StoreChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}
