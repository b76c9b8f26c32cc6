import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Transport } from '#lib/threads/transport.ts';
import type { Workspaces } from './workspaces.ts';

/** How long deleted threads can be restored, in milliseconds. */
export const UNDO_DELETE_MS = 10_000;

export interface ThreadTrashOptions {
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
}

/** Deleted threads: those of one deletion can be restored together until the time is up, or the next one follows. */
export class ThreadTrash {
  readonly #options: ThreadTrashOptions;
  /** Threads share workspaces, so they are purged one after the other. */
  #purging: Promise<void> = Promise.resolve();

  constructor(options: ThreadTrashOptions) {
    this.#options = options;
  }

  /** Completes the deletions that an earlier page began. */
  async complete(): Promise<void> {
    for (const { id, deletedAt } of await this.#options.store.threads()) {
      if (deletedAt === undefined) continue;
      // Another tab may still restore it.
      const left = deletedAt + UNDO_DELETE_MS - Date.now();
      if (left > 0) setTimeout(() => void this.#purgeDeleted(id), left);
      else await this.#purge(id);
    }
  }

  /** Removes threads from the list and, if requested, the workspaces that only they use. */
  async put(threads: readonly Thread[], deletesWorkspace: boolean): Promise<void> {
    const { store, justDeleted, setJustDeleted } = this.#options;
    await this.#purgeAll(justDeleted());
    const deletedAt = Date.now();
    await store.updateThreads(
      threads.map(({ id }) => id),
      (stored) => ({ ...stored, deletedAt, deletesWorkspace }),
    );
    setJustDeleted(threads);
    setTimeout(() => {
      if (justDeleted() === threads) void this.#purgeAll(threads);
    }, UNDO_DELETE_MS);
  }

  /** Restores the threads of the last deletion, and resolves with them. */
  async restore(): Promise<readonly Thread[]> {
    const { store, justDeleted, setJustDeleted } = this.#options;
    const restored = justDeleted();
    setJustDeleted([]);
    await store.updateThreads(
      restored.map(({ id }) => id),
      ({ deletedAt: _, deletesWorkspace: __, ...stored }) => stored,
    );
    return restored;
  }

  async #purgeDeleted(id: string): Promise<void> {
    const thread = await this.#options.store.thread(id);
    if (thread?.deletedAt !== undefined) await this.#purge(id);
  }

  async #purgeAll(threads: readonly Thread[]): Promise<void> {
    const { justDeleted, setJustDeleted } = this.#options;
    // From now on, they cannot be restored.
    if (justDeleted() === threads && threads.length > 0) setJustDeleted([]);
    for (const { id } of threads) await this.#purge(id);
  }

  #purge(id: string): Promise<void> {
    const purged = this.#purging.then(() => this.#purgeNow(id));
    this.#purging = purged.catch(() => undefined);
    return purged;
  }

  async #purgeNow(id: string): Promise<void> {
    const { store, workspaces, transport, closeSession, onDeleted, shownWorkspaceId } = this.#options;
    await closeSession(id);
    const thread = await store.thread(id);
    await store.deleteThread(id);
    onDeleted(id);
    if (thread !== undefined && (thread.deletesWorkspace || isTemporary(thread.workspaceId))) {
      const { workspaceId } = thread;
      // Another thread may use it by now.
      const isUsed = (await store.threads()).some((other) => other.workspaceId === workspaceId);
      if (!isUsed && workspaceId !== shownWorkspaceId()) await workspaces.remove(workspaceId);
    }
    // If this fails, the server deletes the idle thread by itself later.
    transport.deleteThread(id).catch(() => undefined);
  }
}
