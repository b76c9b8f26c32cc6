import type { Version } from '../file-system.ts';
import type { RemovedNode } from '../node-tree.ts';
import type { LogEntry } from '../workspace-storage.ts';
import type { LoggedCommit } from './log-records.ts';
import { decodeChanges, encodeChanges, type WorkspaceDatabase } from './schema.ts';

/** The delay before the log record of a commit is completed if nobody needs that earlier, in milliseconds. */
const COMPLETION_DELAY_MS = 300;

/**
 * The changes of commits that their log records do not list yet: nodes below removed directories, and nodes restored through
 * `LogRecord.returned`.
 */
export class UnnamedChanges {
  readonly #ofCommit = new Map<Version, LogEntry['changes']>();
  readonly #onDue: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onDue` is called some time after changes were added, when it is time for `writeTo`. */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** Adds what a commit removed and restored without listing it; nodes in `returned` that it lists are left out. */
  add({ sequence, record }: LoggedCommit, removed: readonly RemovedNode[], returned: readonly RemovedNode[]): void {
    const named = new Set(returned.length > 0 ? decodeChanges(record).map(({ id }) => id) : []);
    const back = returned
      .filter(({ id }) => !named.has(id))
      .map(({ id, before }) => ({ id, before: null, after: before }));
    this.#ofCommit.set(sequence, [...removed, ...back]);
    this.#timer ??= setTimeout(() => this.#onDue(), COMPLETION_DELAY_MS);
  }

  /** Drops all changes that were added, because the tree is loaded again. */
  clear(): void {
    this.#ofCommit.clear();
  }

  /** Stops the timer: `onDue` is no longer called for the changes that were added. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /** All changes of a commit that was added here or whose record is complete. */
  changesOf({ sequence, record }: LoggedCommit): LogEntry['changes'] {
    const changes = decodeChanges(record);
    return record.isShallow === true ? changes.concat(this.#ofCommit.get(sequence) ?? []) : changes;
  }

  /**
   * Writes the changes that were added to the log records of their commits, and drops them here. Records that another tab has
   * completed are left as they are. Rejects with IndexedDB's errors; the changes are then kept here.
   */
  async writeTo(db: WorkspaceDatabase): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ofCommit.size === 0) return;
    const transaction = db.transaction('log', 'readwrite', { durability: 'relaxed' });
    for (const sequence of this.#ofCommit.keys()) {
      const record = await transaction.store.get(sequence);
      // It may also have been deleted in the meantime.
      if (record?.isShallow !== true) continue;
      const { isShallow: _, returned: __, ...whole } = record;
      const changes = encodeChanges(this.changesOf({ sequence, record }));
      await transaction.store.put({ ...whole, ...changes }, sequence);
    }
    await transaction.done;
    this.#ofCommit.clear();
  }
}
