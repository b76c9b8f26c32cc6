import type { DBSchema, IDBPDatabase } from 'idb';
import type { Author, Stat, Version } from '../file-system.ts';
import type { BlobId, NodeChanges, NodeId, NodeState } from '../node-tree.ts';
import { decodeNodes, encodeNodes, type NodeColumns, type PackTable, type Snapshot, TYPES } from '../snapshot.ts';
import type { LogEntry } from '../workspace-storage.ts';

/** A node's state as the log has it: parent, name, type, size, mtimeMs, mode, version, blob, and a symlink's target. */
export type StoredState = [NodeId, string, 0 | 1 | 2, number, number, number, Version, BlobId, string?];

/** The nodes that a commit touched, in their order; before and after have those that were or are there. */
interface BulkChanges {
  ids: Float64Array;
  before: NodeColumns;
  after: NodeColumns;
}

/** From so many changes on, a commit is stored in columns. */
const BULK_MIN_CHANGES = 64;

/** The key of a store's only record. */
export const CURRENT = 0;

/** One commit. The log is only ever appended to; its key is the commit's sequence number. */
export interface LogRecord {
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /** Of each node it touched: what it was before and what it is after. Empty where they are in `bulk`. */
  changes: [id: NodeId, before: StoredState | null, after: StoredState | null][];
  /** Many changes, in columns: they are stored and read in a fraction of the time. */
  bulk?: BulkChanges;
  /** Small contents that the commit brought. */
  inline?: [blob: BlobId, data: Uint8Array][];
  /** Where in `blobs` the others are that share a pack. */
  packs?: PackTable;
}

export interface WorkspaceSchema extends DBSchema {
  log: { key: Version; value: LogRecord; indexes: { toolCallId: string } };
  /** Immutable bytes: a pack of small contents, or one large content by its own id. */
  blobs: { key: number; value: Uint8Array };
  /** One record each, of the key `CURRENT`. */
  snapshot: { key: typeof CURRENT; value: Snapshot };
  head: { key: typeof CURRENT; value: Head };
  /** Version 1 of the database; gone once it is migrated. */
  entries: { key: string; value: Entry1 };
  contents: { key: string; value: Uint8Array };
  commits: { key: Version; value: unknown };
}

/** An entry as version 1 of the database stored it, by its absolute path. */
export interface Entry1 extends Stat {
  contentId?: string;
  target?: string;
}

/** What can be asked of the snapshot without reading it. */
export interface Head {
  /** The last commit that the snapshot has. */
  snapshot: Version;
  /** Commits up to this one are no longer in the log. */
  floor: Version;
  /** How many packs were made otherwise than by a commit; the n-th has the key -n. */
  packs: number;
}

/** The part of a record that says what the commit did to the tree. */
export type StoredChanges = Pick<LogRecord, 'changes' | 'bulk'>;

/** A commit's changes as its record has them. */
export function encodeChanges(changes: LogEntry['changes']): StoredChanges {
  if (changes.length < BULK_MIN_CHANGES)
    return {
      changes: changes.map(({ id, before, after }) => [id, before && encodeState(before), after && encodeState(after)]),
    };
  const ids: NodeId[] = [];
  const before = { ids: [] as NodeId[], states: [] as NodeState[] };
  const after = { ids: [] as NodeId[], states: [] as NodeState[] };
  const add = (side: typeof before, id: NodeId, state: NodeState) => {
    side.ids.push(id);
    side.states.push(state);
  };
  for (const change of changes) {
    ids.push(change.id);
    if (change.before !== null) add(before, change.id, change.before);
    if (change.after !== null) add(after, change.id, change.after);
  }
  const columns = ({ ids, states }: typeof before) => encodeNodes(ids, states);
  return { changes: [], bulk: { ids: Float64Array.from(ids), before: columns(before), after: columns(after) } };
}

export function decodeChanges({ changes, bulk }: StoredChanges): LogEntry['changes'] {
  if (bulk === undefined)
    return changes.map(([id, before, after]) => ({
      id,
      before: before && decodeState(before),
      after: after && decodeState(after),
    }));
  const [before, after] = [decodeNodes(bulk.before), decodeNodes(bulk.after)];
  return Array.from(bulk.ids, (id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }));
}

/** What a record leaves of each node. */
export const changesOf = (stored: StoredChanges): NodeChanges =>
  new Map(decodeChanges(stored).map(({ id, after }) => [id, after]));

export type WorkspaceDatabase = IDBPDatabase<WorkspaceSchema>;

export function encodeState(state: NodeState): StoredState {
  const { parent, name, size, mtimeMs, mode, version, blob, target } = state;
  const type = TYPES.indexOf(state.type) as 0 | 1 | 2;
  return target === undefined
    ? [parent, name, type, size, mtimeMs, mode, version, blob]
    : [parent, name, type, size, mtimeMs, mode, version, blob, target];
}

export function decodeState(stored: StoredState): NodeState {
  const [parent, name, type, size, mtimeMs, mode, version, blob, target] = stored;
  const state = { parent, name, type: TYPES[type], size, mtimeMs, mode, version, blob };
  return target === undefined ? state : { ...state, target };
}
