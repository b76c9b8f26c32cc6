import type { IDBPTransaction, StoreNames } from 'idb';
import { INLINE_MAX_BYTES } from '../limits.ts';
import { type BlobId, idOf, NO_BLOB, type NodeId, type NodeState, NodeTree, ROOT_ID } from '../node-tree.ts';
import { basename, dirname } from '../paths.ts';
import { encodeSnapshot, type PackPlace } from '../snapshot.ts';
import { packContents } from './packing.ts';
import { CURRENT, type WorkspaceSchema } from './schema.ts';

type Upgrade = IDBPTransaction<WorkspaceSchema, StoreNames<WorkspaceSchema>[], 'versionchange'>;

/** The number of bytes of small contents that are read and packed at a time. */
const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Converts what version 1 of the database stored to a snapshot, within the transaction of the upgrade; every path, content,
 * mode and version is preserved, but not the history.
 */
export async function migrate(transaction: Upgrade): Promise<void> {
  const [paths, entries, last] = await Promise.all([
    transaction.objectStore('entries').getAllKeys(),
    transaction.objectStore('entries').getAll(),
    transaction.objectStore('commits').openKeyCursor(null, 'prev'),
  ]);
  const sequence = (last?.key ?? 0) + 1;
  let ids = 0;
  const newId = () => idOf(sequence, ++ids);
  const nodes = new Map<string, NodeId>([['/', ROOT_ID]]);
  for (const path of paths) if (path !== '/') nodes.set(path, newId());
  const blobs = new Map<string, BlobId>();
  const states = new Map<NodeId, NodeState>();
  paths.forEach((path, row) => {
    const [entry, id, parent] = [entries[row], nodes.get(path), nodes.get(dirname(path))];
    if (path === '/' || entry === undefined || id === undefined || parent === undefined) return;
    const { contentId, ...stat } = entry;
    const hasBytes = contentId !== undefined && stat.size > 0;
    const blob = hasBytes ? (blobs.get(contentId) ?? newId()) : NO_BLOB;
    if (hasBytes) blobs.set(contentId, blob);
    states.set(id, { ...stat, parent, name: basename(path), blob });
  });
  const places = await moveContents(transaction, blobs, newId);
  const tree = new NodeTree();
  tree.apply(states);
  await Promise.all([
    transaction.objectStore('snapshot').put(encodeSnapshot(tree, sequence, places), CURRENT),
    transaction.objectStore('head').put({ snapshot: sequence, floor: sequence, packs: 0 }, CURRENT),
  ]);
}

/** Moves contents from individual records to packs, and large ones to separate blobs. */
async function moveContents(transaction: Upgrade, blobs: ReadonlyMap<string, BlobId>, newId: () => number) {
  const places = new Map<BlobId, PackPlace>();
  let batch: [BlobId, Uint8Array][] = [];
  let bytes = 0;
  const write = async () => {
    const packing = packContents(batch, newId);
    for (const [blob, place] of packing.places) places.set(blob, place);
    await Promise.all(packing.packs.map(([id, data]) => transaction.objectStore('blobs').put(data, id)));
    batch = [];
    bytes = 0;
  };
  for (const [contentId, blob] of blobs) {
    const data = await transaction.objectStore('contents').get(contentId);
    if (data === undefined) continue;
    if (data.byteLength > INLINE_MAX_BYTES) {
      await transaction.objectStore('blobs').put(data, blob);
      continue;
    }
    batch.push([blob, data]);
    bytes += data.byteLength;
    if (bytes > BATCH_BYTES) await write();
  }
  await write();
  return places;
}
