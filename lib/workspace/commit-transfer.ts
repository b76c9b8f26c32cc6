import { transfer } from 'comlink';
import type { BlobId, NodeId, NodeState } from '#lib/vfs/node-tree.ts';
import { decodeNodes, encodeNodes, type NodeColumns } from '#lib/vfs/snapshot.ts';
import type { Commit } from '#lib/vfs/workspace-storage.ts';

/** A commit with more changes than this crosses in columns. */
const PLAIN_MAX_CHANGES = 64;

/** A commit of many files, as it crosses from the page to its worker: columns, and all contents in one buffer. */
interface PackedCommit extends Omit<Commit, 'changes' | 'blobs'> {
  nodes: NodeColumns;
  removed: readonly NodeId[];
  blobs: { ids: Float64Array; sizes: Float64Array; bytes: Uint8Array };
}

export type TransferredCommit = Commit | PackedCommit;

/** What is posted. A copy of ten thousand small buffers would hold the page up for a quarter of a second. */
export function packCommits(commits: readonly Commit[]): TransferredCommit[] {
  const packed = commits.map((commit) => (commit.changes.size > PLAIN_MAX_CHANGES ? pack(commit) : commit));
  const buffers = packed.flatMap((commit) => ('nodes' in commit ? [commit.blobs.bytes.buffer] : []));
  return transfer(packed, buffers);
}

export function unpackCommits(commits: readonly TransferredCommit[]): Commit[] {
  return commits.map((commit) => ('nodes' in commit ? unpack(commit) : commit));
}

function pack({ changes, blobs, ...rest }: Commit): PackedCommit {
  const nodes: [NodeId, NodeState][] = [];
  const removed: NodeId[] = [];
  for (const [id, state] of changes) {
    if (state === null) removed.push(id);
    else nodes.push([id, state]);
  }
  const sizes = Float64Array.from(blobs.values(), ({ byteLength }) => byteLength);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let offset = 0;
  for (const data of blobs.values()) {
    bytes.set(data, offset);
    offset += data.byteLength;
  }
  return { ...rest, nodes: encodeNodes(nodes), removed, blobs: { ids: Float64Array.from(blobs.keys()), sizes, bytes } };
}

function unpack({ nodes, removed, blobs: { ids, sizes, bytes }, ...rest }: PackedCommit): Commit {
  const changes = new Map<NodeId, NodeState | null>(decodeNodes(nodes));
  for (const id of removed) changes.set(id, null);
  const blobs = new Map<BlobId, Uint8Array>();
  let offset = 0;
  ids.forEach((id, row) => {
    const size = sizes[row] ?? 0;
    // Small contents are views: the storage lays them into packs, and copies what it stores alone.
    blobs.set(id, bytes.subarray(offset, offset + size));
    offset += size;
  });
  return { ...rest, changes, blobs };
}
