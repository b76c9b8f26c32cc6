import type { Version } from '#lib/vfs/file-system.ts';
import type { LogEntry } from '#lib/vfs/workspace-storage.ts';

/** The most node changes that are kept, in all commits together. */
const MAX_CHANGES = 20_000;

/**
 * The newest commits that one `RemoteStorage` has made, without gaps, so that they need not be requested from the worker's
 * log. After a commit by anyone else, the list begins again.
 */
export class RecentCommits {
  #entries: LogEntry[] = [];
  #changes = 0;

  add(entry: LogEntry): void {
    if (entry.sequence !== (this.#entries.at(-1)?.sequence ?? entry.sequence - 1) + 1) this.#clear();
    this.#entries.push(entry);
    this.#changes += entry.changes.length;
    while (this.#changes > MAX_CHANGES) this.#changes -= this.#entries.shift()?.changes.length ?? 0;
  }

  /** The commits after `sequence` up to `newest`; undefined if not all of them are kept here. */
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
