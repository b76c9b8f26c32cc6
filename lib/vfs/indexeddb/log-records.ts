import type { IDBPObjectStore, StoreNames } from 'idb';
import type { Version } from '../file-system.ts';
import { INLINE_COMMIT_MAX_BYTES } from '../limits.ts';
import type { LogRecord, StoredRecord, WorkspaceSchema } from './schema.ts';

/** The object store `log` of a workspace's database, in any transaction that includes it. */
export type LogStore = IDBPObjectStore<WorkspaceSchema, StoreNames<WorkspaceSchema>[], 'log', IDBTransactionMode>;

/** One commit in the log: its number, and its record. */
export interface LoggedCommit {
  sequence: Version;
  record: LogRecord;
}

/**
 * Converts consecutive commits to log records, each with its key, which is the number of its first commit. Small ones by the
 * same author share a record: for IndexedDB, a record with hundreds of commits takes about as long as a record with one.
 */
export function foldCommits(commits: readonly LoggedCommit[]): [key: Version, record: StoredRecord][] {
  const stored: [Version, StoredRecord][] = [];
  let author = '';
  let bytes = 0;
  let following: Pick<LogRecord, 'time' | 'changes' | 'inline'>[] | undefined;
  for (const { sequence, record } of commits) {
    const { time, changes, inline = [] } = record;
    const own = inline.reduce((sum, [, { byteLength }]) => sum + byteLength, 0);
    const by = JSON.stringify(record.author);
    bytes += own;
    if (following !== undefined && isSmall(record) && by === author && bytes <= INLINE_COMMIT_MAX_BYTES) {
      following.push({ time, changes, ...(inline.length > 0 && { inline }) });
      continue;
    }
    [author, bytes] = [by, own];
    following = isSmall(record) ? [] : undefined;
    stored.push([sequence, following === undefined ? record : { ...record, following }]);
  }
  for (const [, record] of stored) if (record.following?.length === 0) delete record.following;
  return stored;
}

const isSmall = ({ changes, bulk, packs, isShallow }: LogRecord): boolean =>
  changes.length > 0 && bulk === undefined && packs === undefined && isShallow === undefined;

/** The commits in a record, in order. */
function unfold(key: Version, { following = [], ...first }: StoredRecord): LoggedCommit[] {
  const commits: LoggedCommit[] = [{ sequence: key, record: first }];
  for (const [index, next] of following.entries())
    commits.push({ sequence: key + 1 + index, record: { author: first.author, ...next } });
  return commits;
}

/**
 * Reads the commits in the log records whose keys are in a range, in order; at most `count` records, each of which has one
 * or several commits.
 */
export async function readRecords<Range>(
  log: {
    getAllKeys(range: Range, count?: number): Promise<Version[]>;
    getAll(range: Range, count?: number): Promise<StoredRecord[]>;
  },
  range: Range,
  count?: number,
): Promise<LoggedCommit[]> {
  const [keys, records] = await Promise.all([log.getAllKeys(range, count), log.getAll(range, count)]);
  return records.flatMap((record, index) => unfold(keys[index] ?? 0, record));
}

/**
 * Reads the commits after number `after` up to number `upTo`, in order. Reads at most `count` log records, so that the last
 * commits may be missing.
 */
export async function readCommits(
  log: LogStore,
  after: Version,
  upTo: Version,
  count: number,
): Promise<LoggedCommit[]> {
  const first = (await keyOf(log, after + 1)) ?? after + 1;
  const commits = await readRecords(log, IDBKeyRange.bound(first, Math.max(first, upTo)), count);
  return commits.filter(({ sequence }) => sequence > after && sequence <= upTo);
}

/** Reads one commit from the log; undefined if it is no longer there. */
export async function readCommit(log: LogStore, sequence: Version): Promise<LogRecord | undefined> {
  const key = await keyOf(log, sequence);
  const stored = key === undefined ? undefined : await log.get(key);
  if (key === undefined || stored === undefined) return undefined;
  return unfold(key, stored).find((commit) => commit.sequence === sequence)?.record;
}

/**
 * Returns the key of the last log record that begins at or before a commit: the record that contains it, if it is in the
 * log. Undefined if there is none.
 */
export async function keyOf(log: LogStore, sequence: Version): Promise<Version | undefined> {
  return (await log.openKeyCursor(IDBKeyRange.upperBound(sequence), 'prev'))?.key;
}

/**
 * Reads, for each commit, the past commits whose removals it reverts (`returned` of its record), as far as they are still in
 * the log.
 */
export async function commitsReturned(
  log: { get(sequence: Version): Promise<LogRecord | undefined> },
  commits: readonly { record: LogRecord }[],
): Promise<LoggedCommit[][]> {
  const found: LoggedCommit[][] = [];
  for (const { record } of commits) {
    const known: LoggedCommit[] = [];
    for (const sequence of record.returned ?? []) {
      // A commit that removed so much always has its own record.
      const removal = await log.get(sequence);
      if (removal !== undefined) known.push({ sequence, record: removal });
    }
    found.push(known);
  }
  return found;
}
