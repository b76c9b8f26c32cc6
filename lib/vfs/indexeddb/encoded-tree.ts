import { defined } from '#lib/base/defined.ts';
import { ColumnTree } from '../column-tree.ts';
import type { Version } from '../file-system.ts';
import type { StoredColumns } from '../node-columns.ts';
import { NodeTree, TreeOverlay, type TreeView, withDescendants } from '../node-tree.ts';
import { encodeAll, loadNodes, type Snapshot } from '../snapshot.ts';
import { changesOf, eachState, type LogRecord, type StoredChanges } from './schema.ts';

/** The longest tail that is sent to a mirror, in commits. With a longer one, it is faster to send the resulting tree. */
const TAIL_MAX_MIRRORED_COMMITS = 256;

/**
 * A tree in the form in which a worker sends it to a page: its nodes at some point (absent if there were none yet), and the
 * changes of the commits since then (`tail`). `sequence`: the number of the last commit.
 */
export interface EncodedTree {
  sequence: Version;
  nodes?: StoredColumns | undefined;
  tail: readonly StoredChanges[];
}

/** Encodes a whole tree, as it is after commit `sequence`, for sending it from a worker to a page. */
export function encodeTree(tree: NodeTree, sequence: Version): EncodedTree {
  return { sequence, nodes: encodeAll(tree), tail: [] };
}

/**
 * Makes an encoded tree of a stored snapshot and the log's tail (the commits since then), without decoding them. Undefined, so
 * that the tree has to be decoded, if the tail has more than `TAIL_MAX_MIRRORED_COMMITS` commits, or one that restores what
 * earlier commits removed, without listing it.
 */
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
    tail: tail.map(({ record: { changes, bulk } }) => ({ changes, ...defined({ bulk }) })),
  };
}

const nodesOf = ({ packs: _, sequence: __, ...nodes }: Snapshot): StoredColumns => nodes;

/** Builds the whole tree of an encoded one. To look at entries only, `viewTree` is enough. */
export function decodeTree({ nodes, tail }: EncodedTree): NodeTree {
  const tree = new NodeTree();
  if (nodes !== undefined) loadNodes(tree, nodes);
  for (const record of tail) {
    eachState(record, (id, state) => tree.put(id, state));
    tree.sweep();
  }
  return tree;
}

/** Returns a read-only view of an encoded tree, which is ready much sooner than the result of `decodeTree`. */
export function viewTree({ nodes, tail }: EncodedTree): TreeView {
  // If the tail starts with the first bulk commit of an empty workspace, its columns can serve as the base.
  const made = nodes === undefined && tail[0]?.bulk?.before.names === '' ? tail[0].bulk.after : undefined;
  const columns = nodes ?? made;
  const base = columns === undefined ? new NodeTree() : new ColumnTree(columns);
  const later = made === undefined ? tail : tail.slice(1);
  if (later.length === 0) return base;
  const view = new TreeOverlay(base);
  // A removed folder may be named alone; what was in it must not come back with the folder.
  for (const record of later) view.apply(withDescendants(view, changesOf(record)));
  return view;
}
