import type { Version } from '../file-system.ts';
import { NodeTree, ROOT_ID } from '../node-tree.ts';
import { decodeNodes, encodeNodes, type NodeColumns } from '../snapshot.ts';
import { decodeChanges, type StoredChanges } from './schema.ts';

/** A tree as it crosses to where it is mirrored: its nodes at some time, and the commits since then. */
export interface EncodedTree {
  sequence: Version;
  nodes?: NodeColumns | undefined;
  tail: readonly StoredChanges[];
}

export function encodeTree(tree: NodeTree, sequence: Version): EncodedTree {
  const nodes = [...tree.nodes()].filter(([id]) => id !== ROOT_ID);
  return { sequence, nodes: encodeNodes(nodes), tail: [] };
}

export function decodeTree({ nodes, tail }: EncodedTree): NodeTree {
  const tree = new NodeTree();
  if (nodes !== undefined) tree.apply(decodeNodes(nodes));
  for (const record of tail) tree.apply(new Map(decodeChanges(record).map(({ id, after }) => [id, after])));
  return tree;
}
