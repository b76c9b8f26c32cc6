import { ColumnTree } from '../column-tree.ts';
import type { Version } from '../file-system.ts';
import type { StoredColumns } from '../node-columns.ts';
import { NodeTree, TreeOverlay, type TreeView } from '../node-tree.ts';
import { encodeAll, loadNodes, type Snapshot } from '../snapshot.ts';
import { changesOf, eachState, type LogRecord, type StoredChanges } from './schema.ts';

/** A longer tail is quicker to send as the tree that it makes. */
const TAIL_MAX_MIRRORED_COMMITS = 256;

/** A tree as it crosses to where it is mirrored: its nodes at some time, and the commits since then. */
export interface EncodedTree {
  sequence: Version;
  nodes?: StoredColumns | undefined;
  tail: readonly StoredChanges[];
}

export function encodeTree(tree: NodeTree, sequence: Version): EncodedTree {
  return { sequence, nodes: encodeAll(tree), tail: [] };
}

/** A tree as it was read; undefined where its tail is long, or needs more than what it has. */
export function encodeStored(
  sequence: Version,
  snapshot: Snapshot | undefined,
  tail: readonly { record: LogRecord }[],
): EncodedTree | undefined {
  const isShort = tail.length <= TAIL_MAX_MIRRORED_COMMITS && tail.every(({ record }) => record.returned === undefined);
  if (!isShort) return undefined;
  return {
    sequence,
    nodes: snapshot && nodesOf(snapshot),
    tail: tail.map(({ record: { changes, bulk } }) => ({ changes, ...(bulk && { bulk }) })),
  };
}

const nodesOf = ({ packs: _, sequence: __, ...nodes }: Snapshot): StoredColumns => nodes;

export function decodeTree({ nodes, tail }: EncodedTree): NodeTree {
  const tree = new NodeTree();
  if (nodes !== undefined) loadNodes(tree, nodes);
  for (const record of tail) {
    eachState(record, (id, state) => tree.put(id, state));
    tree.sweep();
  }
  return tree;
}

/** The same, only to be looked at, which is there far sooner. */
export function viewTree({ nodes, tail }: EncodedTree): TreeView {
  // The first commit of all has nothing before it.
  const made = nodes === undefined && tail[0]?.bulk?.before.names === '' ? tail[0].bulk.after : undefined;
  const columns = nodes ?? made;
  const base = columns === undefined ? new NodeTree() : new ColumnTree(columns);
  const later = made === undefined ? tail : tail.slice(1);
  if (later.length === 0) return base;
  const view = new TreeOverlay(base);
  for (const record of later) view.apply(changesOf(record));
  return view;
}
