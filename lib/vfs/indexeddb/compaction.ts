import type { BlobId } from '../node-tree.ts';
import { encodeSnapshot } from '../snapshot.ts';
import type { LoadedWorkspace } from './loaded-workspace.ts';
import { type Packing, packContents } from './packing.ts';
import { CURRENT, EMPTY_HEAD, generationOf, type Head, type WorkspaceDatabase } from './schema.ts';
import { toStored } from './stored-bytes.ts';

/**
 * Folds the log's tail (the commits since the last snapshot of the tree) into a new snapshot: in one transaction, writes the
 * snapshot, and puts the tail's small contents that the tree still has into packs. The records of the tail must be complete
 * (see `UnnamedChanges`). Returns the new metadata of the workspace (`head`), and the packs; undefined, without changing
 * anything, if another tab has written a snapshot that this tab does not know. Rejects with IndexedDB's errors.
 */
export async function foldTail(
  db: WorkspaceDatabase,
  loaded: LoadedWorkspace,
): Promise<{ head: Head; packing: Packing } | undefined> {
  const transaction = db.transaction(['snapshot', 'head', 'blobs'], 'readwrite', { durability: 'strict' });
  const stored = (await transaction.objectStore('head').get(CURRENT)) ?? EMPTY_HEAD;
  if (generationOf(stored) !== generationOf(loaded.head)) {
    await transaction.done;
    return undefined;
  }
  // This throws if the workspace was closed in the meantime.
  const { tree, sequence, contents } = loaded;
  let { packs } = stored;
  const live = new Map<BlobId, Uint8Array>();
  for (const [, { blob }] of tree.nodes()) {
    const data = contents.inline.get(blob);
    if (data !== undefined) live.set(blob, data);
  }
  const packing = packContents(live, () => -++packs);
  const places = new Map([...contents.places, ...packing.places]);
  const head = { ...stored, snapshot: sequence, packs, generation: generationOf(stored) + 1 };
  await Promise.all([
    transaction.objectStore('snapshot').put(encodeSnapshot(tree, sequence, places), CURRENT),
    transaction.objectStore('head').put(head, CURRENT),
    ...packing.packs.map(([key, data]) => transaction.objectStore('blobs').add(toStored(data), key)),
    transaction.done,
  ]);
  return { head, packing };
}
