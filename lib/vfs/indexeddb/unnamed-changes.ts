import type { Version } from '../file-system.ts';
import type { RemovedNode } from '../node-tree.ts';
import type { LogEntry } from '../workspace-storage.ts';
import type { LoggedCommit } from './log-records.ts';
import { decodeChanges, encodeChanges, type WorkspaceDatabase } from './schema.ts';

/** What commits did that the log does not name yet: what lay below directories they removed, and what came back with these. */
export class UnnamedChanges {
  #ofCommit = new Map<Version, LogEntry['changes']>();

  add({ sequence, record }: LoggedCommit, removed: readonly RemovedNode[], returned: readonly RemovedNode[]): void {
    const named = new Set(returned.length > 0 ? decodeChanges(record).map(({ id }) => id) : []);
    const back = returned
      .filter(({ id }) => !named.has(id))
      .map(({ id, before }) => ({ id, before: null, after: before }));
    this.#ofCommit.set(sequence, [...removed, ...back]);
  }

  clear(): void {
    this.#ofCommit.clear();
  }

  /** All that a commit did which was added here, or whose record was whole. */
  changesOf({ sequence, record }: LoggedCommit): LogEntry['changes'] {
    const changes = decodeChanges(record);
    return record.isShallow === true ? changes.concat(this.#ofCommit.get(sequence) ?? []) : changes;
  }

  /** Makes their records whole, as far as no other tab has done so. */
  async writeTo(db: WorkspaceDatabase): Promise<void> {
    if (this.#ofCommit.size === 0) return;
    const transaction = db.transaction('log', 'readwrite', { durability: 'relaxed' });
    for (const sequence of this.#ofCommit.keys()) {
      const record = await transaction.store.get(sequence);
      // It may also have been forgotten meanwhile.
      if (record?.isShallow !== true) continue;
      const { isShallow: _, returned: __, ...whole } = record;
      const changes = encodeChanges(this.changesOf({ sequence, record }));
      await transaction.store.put({ ...whole, ...changes }, sequence);
    }
    await transaction.done;
    this.#ofCommit.clear();
  }
}
