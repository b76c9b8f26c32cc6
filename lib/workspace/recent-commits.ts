import type { Version } from '#lib/vfs/file-system.ts';
import type { LogEntry } from '#lib/vfs/workspace-storage.ts';

/** How many changes of nodes are remembered. */
const MAX_CHANGES = 20_000;

/** The newest commits of this side, as far as none of another came between: the log of them need not be asked for. */
export class RecentCommits {
  #entries: LogEntry[] = [];
  #changes = 0;

  add(entry: LogEntry): void {
    if (entry.sequence !== (this.#entries.at(-1)?.sequence ?? entry.sequence - 1) + 1) this.#clear();
    this.#entries.push(entry);
    this.#changes += entry.changes.length;
    while (this.#changes > MAX_CHANGES) this.#changes -= this.#entries.shift()?.changes.length ?? 0;
  }

  /** The commits after a sequence number up to the newest of all; undefined where not all of them are known. */
  after(sequence: Version, newest: Version): readonly LogEntry[] | undefined {
    const first = this.#entries[0]?.sequence;
    const last = this.#entries.at(-1)?.sequence;
    if (first === undefined || last !== newest || sequence < first - 1) return undefined;
    return this.#entries.slice(sequence - first + 1);
  }

  #clear(): void {
    this.#entries = [];
    this.#changes = 0;
  }
}
