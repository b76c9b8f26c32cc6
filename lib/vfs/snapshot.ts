import type { Version } from './file-system.ts';
import { type BlobId, type NodeId, type NodeState, NodeTree, ROOT_ID } from './node-tree.ts';

/** All nodes in columns: thousands of them are read in a few milliseconds, where as many records take seconds. */
export interface Snapshot {
  /** The last commit in it. */
  sequence: Version;
  ids: Float64Array;
  parents: Float64Array;
  /** 0 file, 1 directory, 2 symlink. */
  types: Uint8Array;
  sizes: Float64Array;
  mtimes: Float64Array;
  modes: Uint16Array;
  versions: Float64Array;
  blobs: Float64Array;
  /** Joined by NUL, which no name contains. */
  names: string;
  /** Of the symlinks, in their order. */
  targets: string[];
  packs: PackTable;
}

/** Which pack has which content, and from which byte on. */
export interface PackTable {
  blobs: Float64Array;
  packs: Float64Array;
  offsets: Uint32Array;
}

/** Where a content is within a pack. */
export interface PackPlace {
  pack: number;
  offset: number;
}

const TYPES = ['file', 'directory', 'symlink'] as const;

export function encodeSnapshot(tree: NodeTree, sequence: Version, packs: ReadonlyMap<BlobId, PackPlace>): Snapshot {
  const count = tree.size - 1;
  const snapshot: Snapshot = {
    sequence,
    ids: new Float64Array(count),
    parents: new Float64Array(count),
    types: new Uint8Array(count),
    sizes: new Float64Array(count),
    mtimes: new Float64Array(count),
    modes: new Uint16Array(count),
    versions: new Float64Array(count),
    blobs: new Float64Array(count),
    names: '',
    targets: [],
    packs: encodePacks(packs),
  };
  const names: string[] = [];
  for (const [id, state] of tree.nodes()) {
    if (id === ROOT_ID) continue;
    const row = names.length;
    snapshot.ids[row] = id;
    snapshot.parents[row] = state.parent;
    snapshot.types[row] = TYPES.indexOf(state.type);
    snapshot.sizes[row] = state.size;
    snapshot.mtimes[row] = state.mtimeMs;
    snapshot.modes[row] = state.mode;
    snapshot.versions[row] = state.version;
    snapshot.blobs[row] = state.blob;
    names.push(state.name);
    if (state.target !== undefined) snapshot.targets.push(state.target);
  }
  snapshot.names = names.join('\0');
  return snapshot;
}

export function decodeSnapshot(snapshot: Snapshot): NodeTree {
  const tree = new NodeTree();
  const names = snapshot.names.split('\0');
  const at = (column: ArrayLike<number>, row: number): number => column[row] ?? 0;
  const nodes = new Map<NodeId, NodeState>();
  let links = 0;
  for (let row = 0; row < snapshot.ids.length; row++) {
    const type = TYPES[at(snapshot.types, row)] ?? 'file';
    const state = {
      parent: at(snapshot.parents, row),
      name: names[row] ?? '',
      type,
      size: at(snapshot.sizes, row),
      mtimeMs: at(snapshot.mtimes, row),
      mode: at(snapshot.modes, row),
      version: at(snapshot.versions, row),
      blob: at(snapshot.blobs, row),
    };
    nodes.set(
      at(snapshot.ids, row),
      type === 'symlink' ? { ...state, target: snapshot.targets[links++] ?? '' } : state,
    );
  }
  tree.apply(nodes);
  return tree;
}

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

export function* decodePacks({ blobs, packs, offsets }: PackTable): Iterable<[BlobId, PackPlace]> {
  for (let row = 0; row < blobs.length; row++)
    yield [blobs[row] ?? 0, { pack: packs[row] ?? 0, offset: offsets[row] ?? 0 }];
}
