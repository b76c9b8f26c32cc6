import type { Version } from './file-system.ts';
import { type NodeColumns, NodeRows, NodeWriter, type StoredColumns } from './node-columns.ts';
import { type BlobId, NodeTree, ROOT_ID } from './node-tree.ts';

/**
 * A workspace's tree as it is stored: all nodes except the root, in columns, and the locations of the file contents that are
 * in packs.
 */
export type Snapshot = StoredColumns & {
  /** The last commit that the snapshot includes. */
  sequence: Version;
  packs: PackTable;
};

/**
 * A table of the file contents that are in packs, which hold several each. A row has the id of a content, the id of its
 * pack, and its offset there in bytes.
 */
export interface PackTable {
  blobs: Float64Array;
  packs: Float64Array;
  offsets: Uint32Array;
}

/** The location of a file content in a pack, which holds several: the id of the pack, and the offset in bytes. */
export interface PackPlace {
  pack: number;
  offset: number;
}

/**
 * Encodes the tree after commit `sequence` for storing it; `packs` has the location of each file content that is in a pack.
 */
export function encodeSnapshot(tree: NodeTree, sequence: Version, packs: ReadonlyMap<BlobId, PackPlace>): Snapshot {
  return { ...encodeAll(tree), sequence, packs: encodePacks(packs) };
}

/** Encodes all nodes of a tree except the root, in columns. */
export function encodeAll(tree: NodeTree): NodeColumns {
  const columns = new NodeWriter(tree.size - 1);
  for (const [id, state] of tree.nodes()) if (id !== ROOT_ID) columns.add(id, state);
  return columns.finish();
}

/**
 * Returns the tree of a snapshot. The locations of file contents, which the snapshot also has, are read with `decodePacks`.
 */
export function decodeSnapshot(snapshot: Snapshot): NodeTree {
  const tree = new NodeTree();
  loadNodes(tree, snapshot);
  return tree;
}

/** Adds nodes that are stored in columns to a tree. */
export function loadNodes(tree: NodeTree, columns: StoredColumns): void {
  const rows = new NodeRows(columns);
  for (let { id } = rows; id !== undefined; { id } = rows) tree.put(id, rows.next());
}

/** Encodes the locations of file contents in packs as a table, with a row for each content. */
export function encodePacks(places: ReadonlyMap<BlobId, PackPlace>): PackTable {
  const blobs = new Float64Array(places.size);
  const packs = new Float64Array(places.size);
  const offsets = new Uint32Array(places.size);
  let row = 0;
  for (const [blob, { pack, offset }] of places) {
    blobs[row] = blob;
    packs[row] = pack;
    offsets[row++] = offset;
  }
  return { blobs, packs, offsets };
}

/** Yields the id of each file content in the table with its location in a pack, in the order in which they were encoded. */
export function* decodePacks({ blobs, packs, offsets }: PackTable): Iterable<[BlobId, PackPlace]> {
  for (let row = 0; row < blobs.length; row++)
    yield [blobs[row] ?? 0, { pack: packs[row] ?? 0, offset: offsets[row] ?? 0 }];
}
