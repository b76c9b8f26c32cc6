import type { Version } from '../file-system.ts';
import { type BlobId, NO_BLOB, type NodeTree } from '../node-tree.ts';
import { encodeSnapshot, type PackPlace } from '../snapshot.ts';
import { keyOf, type LogStore, readCommits } from './log-records.ts';
import { packContents } from './packing.ts';
import { CURRENT, decodeChanges, generationOf, type Head, type LogRecord, type WorkspaceDatabase } from './schema.ts';
import { bytesOf, sizeOf, toStored } from './stored-bytes.ts';

/** The number of records that are read at once. */
const BATCH_COMMITS = 256;

/** The share of a pack's bytes that must still be needed. Of a pack with less, what is needed moves to a new pack. */
const MIN_LIVE_SHARE = 0.5;

/** A tab's state of the workspace; `floor`: the number of the last commit to delete. */
interface Known {
  floor: Version;
  sequence: Version;
  head: Head;
  tree: NodeTree;
  places: ReadonlyMap<BlobId, PackPlace>;
  /** Contents that are only in the log's tail. */
  inline: ReadonlyMap<BlobId, Uint8Array>;
}

/** The contents that are still needed after deleting commits, and the places of their bytes. */
interface Survey {
  /** The locations of contents that are not moved. */
  places: ReadonlyMap<BlobId, PackPlace>;
  /** The bytes of contents that must move to new packs. */
  homeless: ReadonlyMap<BlobId, Uint8Array>;
  /** The keys in the `blobs` store to keep. */
  kept: ReadonlySet<number>;
}

/**
 * Deletes a workspace's history up to the commit `known.floor` for good, as the person has asked; the files stay as they are.
 * It deletes this part of the log, and every content that neither the tree nor the rest of the log refers to, in one
 * transaction, and adds the empty commit `sequence + 1`. Contents that are still needed move to new packs if they are in
 * deleted records or in packs that are mostly waste. `known`: the tab's state of the workspace. Returns false without changing
 * anything if it was not up to date.
 */
export async function forgetCommits(db: WorkspaceDatabase, known: Known): Promise<boolean> {
  const { floor, sequence, tree } = known;
  // Records and packs are immutable, so the results stay valid as long as nobody commits or makes a snapshot.
  const { places, homeless, kept } = await survey(db, known);
  const transaction = db.transaction(['log', 'blobs', 'snapshot', 'head'], 'readwrite', { durability: 'strict' });
  const [log, blobs] = [transaction.objectStore('log'), transaction.objectStore('blobs')];
  const [newest, head, keys] = await Promise.all([
    log.getKey(IDBKeyRange.lowerBound(sequence, true)),
    transaction.objectStore('head').get(CURRENT),
    blobs.getAllKeys(),
  ]);
  if (newest !== undefined || generationOf(head) !== generationOf(known.head)) {
    await transaction.done;
    return false;
  }
  const firstKept = (floor < sequence ? await keyOf(log, floor + 1) : undefined) ?? sequence + 1;
  let packs = head?.packs ?? 0;
  const packing = packContents(homeless, () => -++packs);
  await Promise.all([
    ...packing.packs.map(([key, data]) => blobs.put(toStored(data), key)),
    ...keys.filter((key) => !kept.has(key)).map((key) => blobs.delete(key)),
    // A record that also has commits after the floor stays until those are deleted, too.
    log.delete(IDBKeyRange.upperBound(firstKept, true)),
    log.add({ author: { type: 'person' }, time: Date.now(), changes: [] }, sequence + 1),
    transaction
      .objectStore('snapshot')
      .put(encodeSnapshot(tree, sequence, new Map([...places, ...packing.places])), CURRENT),
    transaction
      .objectStore('head')
      .put({ ...head, snapshot: sequence, floor, packs, generation: generationOf(head) + 1 }, CURRENT),
    transaction.done,
  ]);
  return true;
}

async function survey(db: WorkspaceDatabase, known: Known): Promise<Survey> {
  const log = db.transaction('log').store;
  const needed = await neededBlobs(known, log);
  const places = new Map([...known.places].filter(([blob]) => needed.has(blob)));
  const homeless = new Map([...known.inline].filter(([blob]) => needed.has(blob)));
  for await (const { inline = [] } of recordsOf(log, 0, known.floor))
    for (const [blob, data] of inline) if (needed.has(blob) && !places.has(blob)) homeless.set(blob, data);
  const wasteful = await wastefulPacks(db, known.places, needed);
  for (const [blob, { pack, offset }] of places) {
    const data = wasteful.get(pack);
    if (data === undefined) continue;
    homeless.set(blob, data.slice(offset, offset + (needed.get(blob) ?? 0)));
    places.delete(blob);
  }
  return { places, homeless, kept: new Set([...needed.keys(), ...Array.from(places.values(), ({ pack }) => pack)]) };
}

/** The size of each blob that the tree or a commit after `floor` refers to. */
async function neededBlobs({ tree, floor, sequence }: Known, log: LogStore): Promise<Map<BlobId, number>> {
  const needed = new Map<BlobId, number>();
  for (const [, { blob, size }] of tree.nodes()) if (blob !== NO_BLOB) needed.set(blob, size);
  for await (const record of recordsOf(log, floor, sequence))
    for (const { before, after } of decodeChanges(record))
      for (const state of [before, after])
        if (state !== null && state.blob !== NO_BLOB) needed.set(state.blob, state.size);
  return needed;
}

/** The bytes of packs of which less than `MIN_LIVE_SHARE` is still needed, by key. Packs with nothing needed are left out. */
async function wastefulPacks(
  db: WorkspaceDatabase,
  places: ReadonlyMap<BlobId, PackPlace>,
  needed: ReadonlyMap<BlobId, number>,
): Promise<Map<number, Uint8Array>> {
  const live = new Map<number, number>();
  const withWaste = new Set<number>();
  for (const [blob, { pack }] of places) {
    const size = needed.get(blob);
    if (size === undefined) withWaste.add(pack);
    else live.set(pack, (live.get(pack) ?? 0) + size);
  }
  const wasteful = new Map<number, Uint8Array>();
  for (const pack of withWaste) {
    const bytes = live.get(pack) ?? 0;
    const stored = bytes === 0 ? undefined : await db.get('blobs', pack);
    if (stored !== undefined && bytes < sizeOf(stored) * MIN_LIVE_SHARE) wasteful.set(pack, await bytesOf(stored));
  }
  return wasteful;
}

/** The records after `after` up to `upTo`, read in batches. */
async function* recordsOf(log: LogStore, after: Version, upTo: Version): AsyncIterable<LogRecord> {
  for (let last = after; last < upTo; ) {
    const commits = await readCommits(log, last, upTo, BATCH_COMMITS);
    yield* commits.map(({ record }) => record);
    last = commits.at(-1)?.sequence ?? upTo;
  }
}
