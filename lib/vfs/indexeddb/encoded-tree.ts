import type { Version } from '../file-system.ts';
import type { StoredColumns } from '../node-columns.ts';
import { NodeTree } from '../node-tree.ts';
import { encodeAll, loadNodes } from '../snapshot.ts';
import { eachState, type StoredChanges } from './schema.ts';

/** A tree as it crosses to where it is mirrored: its nodes at some time, and the commits since then. */
export interface EncodedTree {
  sequence: Version;
  nodes?: StoredColumns | undefined;
  tail: readonly StoredChanges[];
}

export function encodeTree(tree: NodeTree, sequence: Version): EncodedTree {
  return { sequence, nodes: encodeAll(tree), tail: [] };
}

export function decodeTree({ nodes, tail }: EncodedTree): NodeTree {
  const tree = new NodeTree();
  if (nodes !== undefined) loadNodes(tree, nodes);
  for (const record of tail) {
    eachState(record, (id, state) => tree.put(id, state));
    tree.sweep();
  }
  return tree;
}
