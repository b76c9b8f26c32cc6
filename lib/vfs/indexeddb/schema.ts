import type { DBSchema, IDBPDatabase } from 'idb';
import type { Fences } from '../fences.ts';
import type { Author, Stat, Version } from '../file-system.ts';
import { BULK_MIN_NODES } from '../limits.ts';
import {
  NodeRows,
  NodeWriter,
  type Numbers,
  packNumbers,
  type StoredColumns,
  TYPES,
  unpackNumbers,
} from '../node-columns.ts';
import type { BlobId, NodeChanges, NodeId, NodeState } from '../node-tree.ts';
import type { PackTable, Snapshot } from '../snapshot.ts';
import type { LogEntry } from '../workspace-storage.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** A node's state in the log: parent, name, type, size, mtimeMs, mode, version, blob, and a symlink's target. */
type StoredState = [NodeId, string, 0 | 1 | 2, number, number, number, Version, BlobId, string?];

/** A commit's changes in columns: the ids of the touched nodes, and the states of those that existed before and after it. */
interface BulkChanges {
  ids: Numbers | Float64Array;
  before: StoredColumns;
  after: StoredColumns;
}

/** The key of the only record in the stores `snapshot` and `head`. */
export const CURRENT = 0;

/** One commit, in the form in which the log in the database stores it. */
export interface LogRecord {
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /** The states of each touched node before and after the commit. Empty if they are in `bulk`. */
  changes: [id: NodeId, before: StoredState | null, after: StoredState | null][];
  /** Many changes, in columns, which are stored and read in a fraction of the time. */
  bulk?: BulkChanges;
  /**
   * Whether the changes do not yet include nodes below removed directories, and nodes restored through `returned`. These are
   * added before a snapshot includes the commit.
   */
  isShallow?: true;
  /**
   * Numbers of past commits whose removed nodes this commit restores, all except those in its changes. Absent once the changes
   * are complete.
   */
  returned?: readonly Version[];
  /** New contents that are small enough to be stored in this record. */
  inline?: [blob: BlobId, data: Uint8Array][];
  /** The locations of new contents that are in packs, in the `blobs` store. */
  packs?: PackTable;
}

/** A record of the log, with one commit or several. */
export interface StoredRecord extends LogRecord {
  /** The commits that follow the first one, by the same author. */
  following?: Pick<LogRecord, 'time' | 'changes' | 'inline'>[];
}

/** The object stores of a workspace's IndexedDB database. */
export interface WorkspaceSchema extends DBSchema {
  /** Append-only. The key is the sequence number of a record's first commit. */
  log: { key: Version; value: StoredRecord; indexes: { toolCallId: string } };
  /** Immutable bytes: a pack of small contents, or one large content under its own id. */
  blobs: { key: number; value: StoredBytes };
  /** The newest snapshot of the tree: one record, with the key `CURRENT`. */
  snapshot: { key: typeof CURRENT; value: Snapshot };
  /** Metadata of the workspace: one record, with the key `CURRENT`. */
  head: { key: typeof CURRENT; value: Head };
  /** The entries by path, from version 1 of the database; deleted by the migration. */
  entries: { key: string; value: Entry1 };
  /** The contents by id, from version 1 of the database; deleted by the migration. */
  contents: { key: string; value: Uint8Array };
  /** The commits by number, from version 1 of the database; deleted by the migration. */
  commits: { key: Version; value: unknown };
}

/** An entry as version 1 of the database stored it, by its absolute path. */
interface Entry1 extends Stat {
  contentId?: string;
  target?: string;
}

/** Metadata of a workspace in its database, which can be read without loading the snapshot of the tree. */
export interface Head {
  /** The last commit that the snapshot includes. */
  snapshot: Version;
  /** The number of the last commit that is no longer in the log; 0 if all are in it. */
  floor: Version;
  /** The number of packs that were created other than by a commit; the n-th has the key -n. */
  packs: number;
  /**
   * The number of snapshots so far. A tab that makes the next one, or deletes contents, must have loaded the newest: contents
   * may have moved since an older one, even if the tree is the same. Absent before version 5, which counts as 0.
   */
  generation?: number;
  /** Fences for calls that were taken over. */
  fences?: Fences;
}

/**
 * The metadata of a workspace of which none is stored yet: no snapshot has been written, no commit deleted, and no call
 * taken over.
 */
export const EMPTY_HEAD: Head = { snapshot: 0, floor: 0, packs: 0 };

/** Returns the number of snapshots so far, by a workspace's metadata; 0 if it does not say, or if there is none yet. */
export const generationOf = (head: Head | undefined): number => head?.generation ?? 0;

/** The part of a log record that has the commit's changes to the tree. */
export type StoredChanges = Pick<LogRecord, 'changes' | 'bulk'>;

/** Encodes a commit's changes for its log record: in columns if there are `BULK_MIN_NODES` or more. */
export function encodeChanges(changes: LogEntry['changes']): StoredChanges {
  if (changes.length < BULK_MIN_NODES)
    return {
      changes: changes.map(({ id, before, after }) => [id, before && encodeState(before), after && encodeState(after)]),
    };
  const ids = new Float64Array(changes.length);
  const counts = { before: 0, after: 0 };
  for (const change of changes) {
    if (change.before !== null) counts.before++;
    if (change.after !== null) counts.after++;
  }
  const [before, after] = [new NodeWriter(counts.before), new NodeWriter(counts.after)];
  let row = 0;
  for (const change of changes) {
    ids[row++] = change.id;
    if (change.before !== null) before.add(change.id, change.before);
    if (change.after !== null) after.add(change.id, change.after);
  }
  return { changes: [], bulk: { ids: packNumbers(ids), before: before.finish(), after: after.finish() } };
}

/** Decodes a commit's changes from its log record, in the order in which they were encoded. */
export function decodeChanges({ changes, bulk }: StoredChanges): LogEntry['changes'] {
  if (bulk === undefined)
    return changes.map(([id, before, after]) => ({
      id,
      before: before && decodeState(before),
      after: after && decodeState(after),
    }));
  const [before, after] = [new NodeRows(bulk.before), new NodeRows(bulk.after)];
  const { base, offsets } = unpackNumbers(bulk.ids);
  return Array.from(offsets, (offset) => ({
    id: base + offset,
    before: before.of(base + offset),
    after: after.of(base + offset),
  }));
}

/**
 * Calls `take` for each node that a commit changed, in the order of its log record, with the node's state after the commit;
 * null if the node was removed.
 */
export function eachState({ changes, bulk }: StoredChanges, take: (id: NodeId, state: NodeState | null) => void): void {
  for (const [id, , after] of changes) take(id, after && decodeState(after));
  if (bulk === undefined) return;
  const after = new NodeRows(bulk.after);
  const { base, offsets } = unpackNumbers(bulk.ids);
  for (const offset of offsets) take(base + offset, after.of(base + offset));
}

/**
 * Returns what the log's record of a commit lists: the state of each node after the commit (null if it was removed), in the
 * order of the record. A shallow record lists neither nodes below removed directories nor restored ones; see
 * `withDescendants` and `withReturned`.
 */
export function changesOf(stored: StoredChanges): NodeChanges {
  const changes = new Map<NodeId, NodeState | null>();
  eachState(stored, (id, state) => changes.set(id, state));
  return changes;
}

/** A workspace's open database. */
export type WorkspaceDatabase = IDBPDatabase<WorkspaceSchema>;

function encodeState(state: NodeState): StoredState {
  const { parent, name, size, mtimeMs, mode, version, blob, target } = state;
  const type = TYPES.indexOf(state.type) as 0 | 1 | 2;
  return target === undefined
    ? [parent, name, type, size, mtimeMs, mode, version, blob]
    : [parent, name, type, size, mtimeMs, mode, version, blob, target];
}

function decodeState(stored: StoredState): NodeState {
  const [parent, name, type, size, mtimeMs, mode, version, blob, target] = stored;
  const state = { parent, name, type: TYPES[type], size, mtimeMs, mode, version, blob };
  return target === undefined ? state : { ...state, target };
}
