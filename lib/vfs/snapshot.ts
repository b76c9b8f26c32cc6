import type { Version } from './file-system.ts';
import { type NodeColumns, NodeRows, NodeWriter, type StoredColumns } from './node-columns.ts';
import { type BlobId, NodeTree, ROOT_ID } from './node-tree.ts';

/** A tree as it is stored: all nodes except the root, in columns, and the locations of contents. */
export type Snapshot = StoredColumns & {
  /** The last commit that the snapshot includes. */
  sequence: Version;
  packs: PackTable;
};

/** A table with the location of each content that is in a pack: its pack, and its offset in bytes. */
export interface PackTable {
  blobs: Float64Array;
  packs: Float64Array;
  offsets: Uint32Array;
}

/** The location of a content within a pack. */
export interface PackPlace {
  pack: number;
  offset: number;
}

/** Encodes a tree after commit `sequence`; `packs` has the location of each content that is in a pack. */
export function encodeSnapshot(tree: NodeTree, sequence: Version, packs: ReadonlyMap<BlobId, PackPlace>): Snapshot {
  return { ...encodeAll(tree), sequence, packs: encodePacks(packs) };
}

/** Encodes all nodes except the root. */
export function encodeAll(tree: NodeTree): NodeColumns {
  const columns = new NodeWriter(tree.size - 1);
  for (const [id, state] of tree.nodes()) if (id !== ROOT_ID) columns.add(id, state);
  return columns.finish();
}

/** The snapshot's tree; `decodePacks` gives the locations of its contents. */
export function decodeSnapshot(snapshot: Snapshot): NodeTree {
  const tree = new NodeTree();
  loadNodes(tree, snapshot);
  return tree;
}

/** Adds nodes in columns to a tree. */
export function loadNodes(tree: NodeTree, columns: StoredColumns): void {
  const rows = new NodeRows(columns);
  for (let { id } = rows; id !== undefined; { id } = rows) tree.put(id, rows.next());
}

/** Encodes the locations of contents, one per row. */
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

/** The locations of contents, in the order in which they were encoded. */
export function* decodePacks({ blobs, packs, offsets }: PackTable): Iterable<[BlobId, PackPlace]> {
  for (let row = 0; row < blobs.length; row++)
    yield [blobs[row] ?? 0, { pack: packs[row] ?? 0, offset: offsets[row] ?? 0 }];
}
