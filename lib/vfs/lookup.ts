import { FileSystemError } from './errors.ts';
import type { DirectoryEntry, Stat, Version } from './file-system.ts';
import { type NodeId, type NodeState, ROOT_ID, type TreeView } from './node-tree.ts';
import { joinPath, segmentsOf } from './paths.ts';

const MAX_SYMLINKS = 40;

/** The place to which a path leads: the nearest existing directory and the name in it, whether or not the entry exists. */
export interface Place {
  /** The names from the root, with symlinks resolved. */
  segments: readonly string[];
  /** The nearest existing directory above the entry; for the root, the root itself. */
  parent: NodeId;
  /** The names of the missing directories between `parent` and the last segment. */
  missing: readonly string[];
  /** The last segment; empty for the root. */
  name: string;
  /** The entry at the path; undefined if it does not exist. */
  node: NodeId | undefined;
  /** The state of `node`. */
  state: NodeState | undefined;
  /** The highest version among the path's nodes, because moving a directory changes the files at the paths below it. */
  version: Version;
}

/**
 * Finds the place to which a path leads. Follows symlinks in every segment except, if `followLast` is false, the last one.
 * Throws `FileSystemError` ENOTDIR if a file is in the way, ELOOP if there are too many symlinks, and what `resolvePath`
 * throws.
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

/**
 * Walks down to the end of the path and returns its place, or to the first symlink to be followed and returns the segments to
 * which the path then resolves. Throws ENOTDIR if a file is in the way.
 */
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
  // An index loop for speed: this runs for every path, thousands of times in a large transaction.
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

/** A place at which an entry exists. */
export interface Found extends Place {
  node: NodeId;
  state: NodeState;
}

/**
 * Finds the existing entry to which a path leads. Follows symlinks, one in the last segment only if `followLast`. Throws
 * `FileSystemError` ENOENT if nothing is there, and what `lookUp` throws.
 */
export function find(tree: TreeView, path: string, followLast: boolean): Found {
  const place = lookUp(tree, path, followLast);
  if (!isFound(place)) throw new FileSystemError('ENOENT', path);
  return place;
}

const isFound = (place: Place): place is Found => place.node !== undefined && place.state !== undefined;

/**
 * Returns the entries of a directory, sorted by name in code-unit order. Follows symlinks. Throws `FileSystemError` ENOENT
 * if nothing is at the path, ENOTDIR for a file, and what `lookUp` throws.
 */
export function listDirectory(tree: TreeView, path: string): readonly DirectoryEntry[] {
  const { node, state } = find(tree, path, true);
  if (state.type !== 'directory') throw new FileSystemError('ENOTDIR', path);
  return tree.entries(node);
}

/**
 * Returns the path to which a path leads, with symlinks resolved, whether or not anything is there. With
 * `followLast: false`, a symlink in the last segment is not resolved. Throws what `lookUp` throws.
 */
export const resolveLinks = (
  tree: TreeView,
  path: string,
  { followLast = true }: { followLast?: boolean } = {},
): string => pathOf(lookUp(tree, path, followLast).segments);

/**
 * Yields the absolute paths of everything below a directory, folder by folder; nothing for anything else, such as a symlink
 * to a directory. Throws what `lookUp` throws.
 */
export function* pathsBelow(tree: TreeView, path: string): Iterable<string> {
  const { segments, state, node } = lookUp(tree, path, false);
  if (node !== undefined && state?.type === 'directory') yield* pathsIn(tree, node, pathOf(segments));
}

function* pathsIn(tree: TreeView, directory: NodeId, path: string): Iterable<string> {
  for (const [name, node] of tree.children(directory)) {
    const below = joinPath(path, name);
    yield below;
    if (tree.node(node)?.type === 'directory') yield* pathsIn(tree, node, below);
  }
}

/**
 * Returns the metadata of the entry at a path. Its version is the highest among the entry and the directories above it,
 * because moving one of those changes what is at the path. Throws what `find` throws.
 */
export function statPath(tree: TreeView, path: string, followLast: boolean): Stat {
  const { state, version } = find(tree, path, followLast);
  return { type: state.type, size: state.size, mtimeMs: state.mtimeMs, mode: state.mode, version };
}

/**
 * Returns the target of a symlink, as it was given when the symlink was created. Throws `FileSystemError` EINVAL if
 * something else is at the path, and what `find` throws.
 */
export function readLink(tree: TreeView, path: string): string {
  const { state } = find(tree, path, false);
  if (state.type !== 'symlink') throw new FileSystemError('EINVAL', path, { detail: 'not a symbolic link' });
  return state.target ?? '';
}

/**
 * Returns the state of the file at a path, whose `blob` identifies its bytes. Follows symlinks. Throws `FileSystemError`
 * EISDIR for a directory, EFBIG if the file has more than `maxBytes`, and what `find` throws.
 */
export function findFile(tree: TreeView, path: string, maxBytes = Number.POSITIVE_INFINITY): NodeState {
  const { state } = find(tree, path, true);
  if (state.type === 'directory') throw new FileSystemError('EISDIR', path);
  if (state.size > maxBytes)
    throw new FileSystemError('EFBIG', path, { detail: `has ${state.size} bytes; at most ${maxBytes} can be read` });
  return state;
}
