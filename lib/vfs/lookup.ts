import { FileSystemError } from './errors.ts';
import type { DirectoryEntry, Stat, Version } from './file-system.ts';
import { type NodeId, type NodeState, ROOT_ID, type TreeView } from './node-tree.ts';
import { joinPath, segmentsOf } from './paths.ts';

const MAX_SYMLINKS = 40;

/** Where a path leads: the last directory on the way and the name in it, whether something is there or not. */
export interface Place {
  /** The names from the root on, without symlinks. */
  segments: readonly string[];
  /** Of the nearest directory that exists; `missing` has the names between it and the last one. */
  parent: NodeId;
  missing: readonly string[];
  /** Empty for the root. */
  name: string;
  /** What is there. */
  node: NodeId | undefined;
  state: NodeState | undefined;
  /** Of the path: its newest node's, because a directory that is moved brings other files to the paths below it. */
  version: Version;
}

/**
 * Follows symlinks in every segment but, with `followLast: false`, the last one.
 * Throws `FileSystemError` ENOTDIR where a file is on the way, ELOOP, and what `resolvePath` throws.
 */
export function lookUp(tree: TreeView, path: string, followLast: boolean): Place {
  let segments = segmentsOf(path);
  for (let links = 0; ; links++) {
    const walked = walk(tree, segments, followLast);
    if ('place' in walked) return walked.place;
    if (links === MAX_SYMLINKS) throw new FileSystemError('ELOOP', path);
    segments = walked.segments;
  }
}

/** One way down, up to its end or to the first symlink; then the segments that the link makes of it. */
function walk(
  tree: TreeView,
  segments: readonly string[],
  followLast: boolean,
): { place: Place } | { segments: string[] } {
  let parent = ROOT_ID;
  let node: NodeId = ROOT_ID;
  let state = tree.node(ROOT_ID);
  let version = 0;
  const name = segments.at(-1) ?? '';
  // By index: this runs for every path there is, thousands of times in a large transaction.
  for (let index = 0; index < segments.length; index++) {
    const child = tree.child(node, segments[index] ?? '');
    const isLast = index === segments.length - 1;
    parent = node;
    state = child === undefined ? undefined : tree.node(child);
    if (child === undefined || state === undefined) {
      const missing = segments.slice(index, -1);
      return { place: { segments, parent, missing, name, node: undefined, state: undefined, version } };
    }
    version = Math.max(version, state.version);
    if (state.type === 'symlink' && (!isLast || followLast)) {
      const target = state.target ?? '';
      const from = pathOf(segments.slice(0, index));
      const absolute = segmentsOf(target.startsWith('/') ? target : joinPath(from, target));
      return { segments: [...absolute, ...segments.slice(index + 1)] };
    }
    if (state.type !== 'directory' && !isLast)
      throw new FileSystemError('ENOTDIR', pathOf(segments.slice(0, index + 1)));
    node = child;
  }
  return { place: { segments, parent, missing: NOTHING, name, node, state, version } };
}

const NOTHING: readonly string[] = [];
const pathOf = (segments: readonly string[]): string => `/${segments.join('/')}`;

export interface Found extends Place {
  node: NodeId;
  state: NodeState;
}

/** As `lookUp`; throws ENOENT where nothing is. */
export function find(tree: TreeView, path: string, followLast: boolean): Found {
  const place = lookUp(tree, path, followLast);
  if (!isFound(place)) throw new FileSystemError('ENOENT', path);
  return place;
}

const isFound = (place: Place): place is Found => place.node !== undefined && place.state !== undefined;

export function listDirectory(tree: TreeView, path: string): readonly DirectoryEntry[] {
  const { node, state } = find(tree, path, true);
  if (state.type !== 'directory') throw new FileSystemError('ENOTDIR', path);
  return tree.entries(node);
}

export function statPath(tree: TreeView, path: string, followLast: boolean): Stat {
  const { state, version } = find(tree, path, followLast);
  return { type: state.type, size: state.size, mtimeMs: state.mtimeMs, mode: state.mode, version };
}

export function readLink(tree: TreeView, path: string): string {
  const { state } = find(tree, path, false);
  if (state.type !== 'symlink') throw new FileSystemError('EINVAL', path, { detail: 'not a symbolic link' });
  return state.target ?? '';
}

/** The file whose bytes are asked for. Throws EISDIR, and EFBIG where there are more than `maxBytes`. */
export function findFile(tree: TreeView, path: string, maxBytes = Number.POSITIVE_INFINITY): NodeState {
  const { state } = find(tree, path, true);
  if (state.type === 'directory') throw new FileSystemError('EISDIR', path);
  if (state.size > maxBytes)
    throw new FileSystemError('EFBIG', path, { detail: `has ${state.size} bytes; at most ${maxBytes} can be read` });
  return state;
}
