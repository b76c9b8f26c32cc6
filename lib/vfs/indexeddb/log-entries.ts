import type { Version } from '../file-system.ts';
import type { LogEntry } from '../workspace-storage.ts';
import type { LoadedWorkspace } from './loaded-workspace.ts';
import { readCommits, readRecords } from './log-records.ts';
import type { WorkspaceDatabase } from './schema.ts';

/** The number of log records that are read at once: their contents stay in memory until they are decoded. */
const BATCH_RECORDS = 256;

/**
 * Reads the commits after commit `after`, up to the last one that this tab has loaded, in order. Leaves out those up to the
 * floor, which are deleted (`loaded.head.floor`). Undefined if others are missing because another tab has just deleted them.
 * Rejects with IndexedDB's errors.
 */
export async function entriesSince(
  db: WorkspaceDatabase,
  loaded: LoadedWorkspace,
  after: Version,
): Promise<LogEntry[] | undefined> {
  const entries: LogEntry[] = [];
  for (let last = Math.max(after, loaded.head.floor); last < loaded.sequence; ) {
    const { store } = db.transaction('log');
    const commits = await readCommits(store, last, loaded.sequence, BATCH_RECORDS);
    if (commits[0]?.sequence !== last + 1) return undefined;
    for (const commit of commits) entries.push(loaded.entryOf(commit));
    last = commits.at(-1)?.sequence ?? loaded.sequence;
  }
  return entries;
}

/**
 * Reads the commits of a call, in order, without those that are deleted or that this tab has not loaded. Rejects with
 * IndexedDB's errors.
 */
export async function entriesOf(
  db: WorkspaceDatabase,
  loaded: LoadedWorkspace,
  toolCallId: string,
): Promise<LogEntry[]> {
  const { store } = db.transaction('log');
  const commits = await readRecords(store.index('toolCallId'), IDBKeyRange.only(toolCallId));
  const known = commits.filter(({ sequence }) => sequence > loaded.head.floor && sequence <= loaded.sequence);
  return known.map((commit) => loaded.entryOf(commit));
}
