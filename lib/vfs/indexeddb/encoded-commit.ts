import { pause } from '#lib/base/pause.ts';
import type { Version } from '../file-system.ts';
import { INLINE_COMMIT_MAX_BYTES, INLINE_COMMIT_MAX_CONTENTS, INLINE_MAX_BYTES, PACK_MAX_BYTES } from '../limits.ts';
import {
  type BlobId,
  type NodeId,
  type NodeState,
  packIdOf,
  type RemovedNode,
  TreeOverlay,
  type TreeView,
} from '../node-tree.ts';
import { removedIn, withReturned } from '../removals.ts';
import { decodePacks, encodePacks, type PackPlace } from '../snapshot.ts';
import type { Commit, LogEntry, WorkspaceStorage } from '../workspace-storage.ts';
import { packContents } from './packing.ts';
import { changesOf, encodeChanges, type LogRecord } from './schema.ts';

/** The number of changes of a commit above which a pause precedes their encoding. */
const PART_MAX_CHANGES = 4_000;
/** The maximum number of bytes of contents that are packed without a pause. */
const PART_MAX_BYTES = 2 * PACK_MAX_BYTES;

/** A commit in the form in which it is stored and sent from a page to its worker. */
export interface EncodedCommit {
  sequence: Version;
  record: LogRecord;
  /** Packs (groups of small contents) and large contents, by key. */
  blobs: [key: number, data: Uint8Array][];
}

/**
 * Encodes consecutive commits, the first on top of `tree`, and makes their log entries; pauses before large parts, so that the
 * page stays responsive. The entries are incomplete: they lack the contents of removed folders, and nodes that a commit
 * restores without listing them (see `isShallow` of `LogRecord`).
 */
export async function encodeCommits(
  commits: readonly Commit[],
  tree: TreeView,
): Promise<{ entries: LogEntry[]; encoded: EncodedCommit[] }> {
  const entries = logEntries(commits, tree);
  const encoded: EncodedCommit[] = [];
  for (const [index, commit] of commits.entries()) {
    const entry = entries[index];
    if (entry !== undefined) encoded.push(await encodeCommit(entry, commit));
  }
  return { entries, encoded };
}

function logEntries(commits: readonly Commit[], tree: TreeView): LogEntry[] {
  const staged = commits.length > 1 ? new TreeOverlay(tree) : undefined;
  return commits.map((commit) => {
    const { sequence, author, time } = commit;
    const view = staged ?? tree;
    const changes: { id: NodeId; before: NodeState | null; after: NodeState | null }[] = [];
    for (const [id, after] of commit.brief?.named ?? commit.changes)
      changes.push({ id, before: view.node(id) ?? null, after });
    staged?.apply(commit.changes);
    return { sequence, author, time, changes };
  });
}

/** Encodes a commit, pausing if it is large. Copies contents that are views of larger buffers. */
async function encodeCommit(entry: LogEntry, { brief, blobs: contents }: Commit): Promise<EncodedCommit> {
  const { sequence, author, time, changes } = entry;
  if (changes.length > PART_MAX_CHANGES) await pause();
  const record: LogRecord = { author, time, ...encodeChanges(changes) };
  if (changes.some(({ before, after }) => after === null && before?.type === 'directory')) record.isShallow = true;
  if (brief !== undefined)
    Object.assign(record, { isShallow: true, returned: brief.returned } satisfies Partial<LogRecord>);
  const small: [BlobId, Uint8Array][] = [];
  const blobs: [number, Uint8Array][] = [];
  let bytes = 0;
  for (const content of contents) {
    if (content[1].byteLength > INLINE_MAX_BYTES) blobs.push(ownBuffer(content));
    else {
      small.push(content);
      bytes += content[1].byteLength;
    }
  }
  if (bytes > INLINE_COMMIT_MAX_BYTES || small.length > INLINE_COMMIT_MAX_CONTENTS) {
    let packs = 0;
    const places = new Map<BlobId, PackPlace>();
    for (const part of partsOf(small)) {
      await pause();
      const packing = packContents(part, () => packIdOf(sequence, ++packs));
      for (const [blob, place] of packing.places) places.set(blob, place);
      blobs.push(...packing.packs);
    }
    record.packs = encodePacks(places);
  } else if (small.length > 0) {
    record.inline = small.map(ownBuffer);
  }
  return { sequence, record, blobs };
}

/** Splits contents into parts of at most `PART_MAX_BYTES`. */
function* partsOf(contents: readonly [BlobId, Uint8Array][]): Iterable<[BlobId, Uint8Array][]> {
  let part: [BlobId, Uint8Array][] = [];
  let bytes = 0;
  for (const content of contents) {
    if (bytes + content[1].byteLength > PART_MAX_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(content);
    bytes += content[1].byteLength;
  }
  yield part;
}

/**
 * Decodes a commit; its contents may be views of larger buffers. `storage` must have all earlier commits: nodes that the commit
 * restores without listing them are taken from its log. Rejects with FileSystemError if that log cannot be read.
 */
export async function decodeCommit(
  { sequence, record, blobs }: EncodedCommit,
  storage: Pick<WorkspaceStorage, 'log'>,
): Promise<Commit> {
  const { author, time, returned = [] } = record;
  const removals: RemovedNode[][] = [];
  for (const sequence of returned) {
    const [removal] = await storage.log(sequence - 1);
    removals.push(removedIn(removal?.changes ?? []));
  }
  const changes = withReturned(changesOf(record), removals);
  const keys = new Map(blobs);
  const contents = new Map<BlobId, Uint8Array>(record.inline);
  const places = new Map(record.packs === undefined ? [] : decodePacks(record.packs));
  for (const state of changes.values()) {
    if (state === null) continue;
    const place = places.get(state.blob);
    const data = keys.get(place?.pack ?? state.blob);
    if (data !== undefined)
      contents.set(state.blob, place === undefined ? data : viewOf(data, place.offset, state.size));
  }
  return { sequence, author, time, changes, blobs: contents };
}

const viewOf = (data: Uint8Array, offset: number, size: number): Uint8Array => data.subarray(offset, offset + size);

/** Copies views, which would otherwise be stored and sent with their whole underlying buffer. */
const ownBuffer = ([key, data]: [number, Uint8Array]): [number, Uint8Array] => [
  key,
  data.byteLength === data.buffer.byteLength ? data : data.slice(),
];
