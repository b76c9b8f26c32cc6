import type { Version } from '../file-system.ts';
import { NodeTree } from '../node-tree.ts';
import { decodeNodes, encodeAll, type NodeColumns } from '../snapshot.ts';
import { changesOf, type StoredChanges } from './schema.ts';

/** A tree as it crosses to where it is mirrored: its nodes at some time, and the commits since then. */
export interface EncodedTree {
  sequence: Version;
  nodes?: NodeColumns | undefined;
  tail: readonly StoredChanges[];
}

export function encodeTree(tree: NodeTree, sequence: Version): EncodedTree {
  return { sequence, nodes: encodeAll(tree), tail: [] };
}

export function decodeTree({ nodes, tail }: EncodedTree): NodeTree {
  const tree = new NodeTree();
  if (nodes !== undefined) tree.apply(decodeNodes(nodes));
  for (const record of tail) tree.apply(changesOf(record));
  return tree;
}
