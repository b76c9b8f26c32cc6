import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Transport } from '#lib/threads/transport.ts';
import type { Workspaces } from './workspaces.ts';

/** The time in which deleted threads can be restored, in milliseconds. */
export const UNDO_DELETE_MS = 10_000;

/** The number of threads that are purged in one transaction; other code can use the store in between. */
const PURGED_AT_ONCE = 50;

interface ThreadTrashOptions {
  store: ThreadStore;
  transport: Pick<Transport, 'deleteThread'>;
  workspaces: Pick<Workspaces, 'remove'>;
  /** The threads of the last deletion, while they can be restored. */
  justDeleted(): readonly Thread[];
  setJustDeleted(threads: readonly Thread[]): void;
  /** The workspace in use, which is never deleted. */
  shownWorkspaceId(): string;
  /** Ends what this page does in a thread. */
  closeSession(id: string): Promise<void>;
  /** Called when a thread has been deleted for good. */
  onDeleted(id: string): void;
  /** Fires when the page ends. From then on, nothing is purged any more; that is left to the next page. */
  closed: AbortSignal;
}

/**
 * The deleted threads. Those of the last deletion can be restored together until `UNDO_DELETE_MS` have passed or the next
 * deletion follows. Then they are purged: deleted for good, here and on the server.
 */
export class ThreadTrash {
  readonly #options: ThreadTrashOptions;
  /** Resolves when the purges that have begun so far are over. Threads share workspaces, so only one purge runs at a time. */
  #purging: Promise<void> = Promise.resolve();
  /** Timers that purge threads which can then no longer be restored; undefined once the page is closed. */
  #timers: ReturnType<typeof setTimeout>[] | undefined = [];

  constructor(options: ThreadTrashOptions) {
    this.#options = options;
    options.closed.addEventListener('abort', () => this.#close());
    if (options.closed.aborted) this.#close();
  }

  /** Completes the deletions that an earlier page began: at once, or when no other tab can restore them any more. */
  async complete(): Promise<void> {
    const ended: Thread[] = [];
    for (const thread of await this.#options.store.threads()) {
      if (thread.deletedAt === undefined) continue;
      const left = thread.deletedAt + UNDO_DELETE_MS - Date.now();
      if (left > 0) this.#timers?.push(setTimeout(() => void this.#purge([thread]), left));
      else ended.push(thread);
    }
    await this.#purge(ended);
  }

  /**
   * Marks threads as deleted, and purges those of the last deletion. `deletesWorkspace`: whether the workspaces that only these
   * threads use are deleted with them. Nothing of these threads is purged while they can be restored.
   */
  async put(threads: readonly Thread[], deletesWorkspace: boolean): Promise<void> {
    const { store, justDeleted, setJustDeleted } = this.#options;
    await this.#giveUp(justDeleted());
    const deletedAt = Date.now();
    const deleted = await store.updateThreads(
      threads.map(({ id }) => id),
      (stored) => ({ ...stored, deletedAt, deletesWorkspace }),
    );
    setJustDeleted(deleted);
    const giveUp = () => {
      if (justDeleted() === deleted) void this.#giveUp(deleted);
    };
    this.#timers?.push(setTimeout(giveUp, UNDO_DELETE_MS));
  }

  /** Restores the threads of the last deletion, and resolves with them. If it fails, it can be tried again. */
  async restore(): Promise<readonly Thread[]> {
    const { store, justDeleted, setJustDeleted } = this.#options;
    const deleted = justDeleted();
    const restored = await store.updateThreads(
      deleted.map(({ id }) => id),
      ({ deletedAt: _, deletesWorkspace: __, ...stored }) => stored,
    );
    if (justDeleted() === deleted) setJustDeleted([]);
    return restored;
  }

  /** Purges the threads of the last deletion. From now on, they cannot be restored. */
  async #giveUp(deleted: readonly Thread[]): Promise<void> {
    const { justDeleted, setJustDeleted } = this.#options;
    if (justDeleted() === deleted && deleted.length > 0) setJustDeleted([]);
    await this.#purge(deleted);
  }

  /** Purges threads as they were deleted: not those that have been restored since, even if they were deleted again. */
  async #purge(deleted: readonly Thread[]): Promise<void> {
    for (let start = 0; start < deleted.length; start += PURGED_AT_ONCE) {
      const some = deleted.slice(start, start + PURGED_AT_ONCE);
      const purged = this.#purging.then(() => this.#purgeNow(some));
      // Its caller gets the error; those behind it in line are purged anyway.
      this.#purging = purged.catch(() => undefined);
      await purged;
    }
  }

  async #purgeNow(deleted: readonly Thread[]): Promise<void> {
    const { store, workspaces, closeSession, onDeleted, shownWorkspaceId } = this.#options;
    const times = new Map(deleted.map(({ id, deletedAt }) => [id, deletedAt]));
    const mayGo = ({ id, deletedAt }: Thread) => deletedAt !== undefined && deletedAt === times.get(id);
    const going = (await store.threads()).filter(mayGo).map(({ id }) => id);
    await Promise.all(going.map(closeSession));
    const purged = await store.deleteThreads(going, mayGo);
    for (const { id } of purged) onDeleted(id);
    void this.#forget(purged);
    // Other threads may use them by now.
    const used = new Set((await store.threads()).map(({ workspaceId }) => workspaceId));
    const owners = purged.filter((thread) => thread.deletesWorkspace || isTemporary(thread.workspaceId));
    const unused = new Set(owners.map(({ workspaceId }) => workspaceId).filter((id) => !used.has(id)));
    for (const id of unused) if (id !== shownWorkspaceId()) await workspaces.remove(id);
  }

  /** Deletes threads on the server: one after the other, because others wait for it, too. */
  async #forget(threads: readonly Thread[]): Promise<void> {
    // If this fails, the server deletes the idle thread by itself later.
    for (const { id } of threads) await this.#options.transport.deleteThread(id).catch(() => undefined);
  }

  #close(): void {
    for (const timer of this.#timers ?? []) clearTimeout(timer);
    this.#timers = undefined;
  }
}
