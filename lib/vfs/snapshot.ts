import type { Version } from './file-system.ts';
import { type BlobId, type NodeId, type NodeState, NodeTree, ROOT_ID } from './node-tree.ts';

/** Nodes in columns: thousands of them are copied and read in a few milliseconds, where as many objects take far longer. */
export interface NodeColumns {
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
}

/** All nodes of a tree but the root. */
export interface Snapshot extends NodeColumns {
  /** The last commit in it. */
  sequence: Version;
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

/** In the order of their numbers in storage. */
export const TYPES = ['file', 'directory', 'symlink'] as const;

export function encodeSnapshot(tree: NodeTree, sequence: Version, packs: ReadonlyMap<BlobId, PackPlace>): Snapshot {
  return { ...encodeAll(tree), sequence, packs: encodePacks(packs) };
}

/** All nodes but the root. */
export function encodeAll(tree: NodeTree): NodeColumns {
  const [ids, states]: [NodeId[], NodeState[]] = [[], []];
  for (const [id, state] of tree.nodes()) {
    if (id === ROOT_ID) continue;
    ids.push(id);
    states.push(state);
  }
  return encodeNodes(ids, states);
}

export function decodeSnapshot(snapshot: Snapshot): NodeTree {
  const tree = new NodeTree();
  tree.apply(decodeNodes(snapshot));
  return tree;
}

/** The nodes of these ids, in their order. */
export function encodeNodes(ids: readonly NodeId[], states: readonly NodeState[]): NodeColumns {
  const count = states.length;
  const columns: NodeColumns = {
    ids: Float64Array.from(ids),
    parents: new Float64Array(count),
    types: new Uint8Array(count),
    sizes: new Float64Array(count),
    mtimes: new Float64Array(count),
    modes: new Uint16Array(count),
    versions: new Float64Array(count),
    blobs: new Float64Array(count),
    names: '',
    targets: [],
  };
  const names: string[] = [];
  for (const [row, state] of states.entries()) {
    columns.parents[row] = state.parent;
    columns.types[row] = TYPES.indexOf(state.type);
    columns.sizes[row] = state.size;
    columns.mtimes[row] = state.mtimeMs;
    columns.modes[row] = state.mode;
    columns.versions[row] = state.version;
    columns.blobs[row] = state.blob;
    names.push(state.name);
    if (state.target !== undefined) columns.targets.push(state.target);
  }
  columns.names = names.join('\0');
  return columns;
}

export function decodeNodes(columns: NodeColumns): Map<NodeId, NodeState> {
  const names = columns.names.split('\0');
  const at = (column: ArrayLike<number>, row: number): number => column[row] ?? 0;
  const nodes = new Map<NodeId, NodeState>();
  let links = 0;
  for (let row = 0; row < columns.ids.length; row++) {
    const type = TYPES[at(columns.types, row)] ?? 'file';
    const state = {
      parent: at(columns.parents, row),
      name: names[row] ?? '',
      type,
      size: at(columns.sizes, row),
      mtimeMs: at(columns.mtimes, row),
      mode: at(columns.modes, row),
      version: at(columns.versions, row),
      blob: at(columns.blobs, row),
    };
    nodes.set(at(columns.ids, row), type === 'symlink' ? { ...state, target: columns.targets[links++] ?? '' } : state);
  }
  return nodes;
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
