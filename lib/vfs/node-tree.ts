import type { DirectoryEntry, EntryType, Version } from './file-system.ts';

/**
 * The id of an entry, also called node: a file, a directory, or a symlink. It stays the same as long as the workspace exists,
 * wherever the entry is moved, and is never reused.
 */
export type NodeId = number;

/** The id of the immutable bytes of a file's content: bytes that replace them get another one. Never reused. */
export type BlobId = number;

/** The blob id of entries without bytes: directories, symlinks, empty files. */
export const NO_BLOB: BlobId = 0;

/** The root directory's id. */
export const ROOT_ID: NodeId = 0;

/** The state of an entry between two commits. It is immutable, so the log can keep it as the state before a commit. */
export interface NodeState {
  readonly parent: NodeId;
  readonly name: string;
  readonly type: EntryType;
  /** Bytes of content, or of a symlink's target. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  /** POSIX permission bits. */
  readonly mode: number;
  /** The commit that last created, changed or moved this node itself. */
  readonly version: Version;
  readonly blob: BlobId;
  /** A symlink's target. */
  readonly target?: string;
}

/**
 * The new state of each node (file, directory, or symlink) that a commit changed. Null: the node was removed, with everything
 * below it that is not listed.
 */
export type NodeChanges = ReadonlyMap<NodeId, NodeState | null>;

/** A node that a commit removed, with its state before. */
export interface RemovedNode {
  id: NodeId;
  before: NodeState;
  after: null;
}

/** The root directory, which never changes and is its own parent. */
export const ROOT: NodeState = {
  parent: ROOT_ID,
  name: '',
  type: 'directory',
  size: 0,
  mtimeMs: 0,
  mode: 0o755,
  version: 0,
  blob: NO_BLOB,
};

/** The number of ids for each commit. It leaves room for 2 ** 32 commits among the safe integers. */
const IDS_PER_COMMIT = 2 ** 21;

/**
 * Returns the `index`-th new id, of a node or a content, of commit `sequence`, where `index` counts from 1. Ids derive from the
 * number that a commit claims, so two tabs that create the same id cannot both commit it. Throws RangeError if one commit needs
 * more than 2,097,151.
 */
export function idOf(sequence: Version, index: number): number {
  if (index >= IDS_PER_COMMIT) throw new RangeError('One transaction creates too many files; split it.');
  return sequence * IDS_PER_COMMIT + index;
}

/**
 * Returns the id of the `index`-th pack (stored group of small file contents) of commit `sequence`, where `index` counts
 * from 1. It is taken from the end of the commit's ids, while `idOf` takes from the beginning.
 */
export const packIdOf = (sequence: Version, index: number): number => (sequence + 1) * IDS_PER_COMMIT - index;

/** The sequence number of the commit that created an id. */
export const sequenceOf = (id: number): Version => Math.floor(id / IDS_PER_COMMIT);

/** Read access to the entries of a workspace, by id and by location. */
export interface TreeView {
  /** The state of a node; undefined if there is no such node. */
  node(id: NodeId): NodeState | undefined;
  /** The node with that name in a directory, if there is one. */
  child(parent: NodeId, name: string): NodeId | undefined;
  /** The children by name, in any order; empty for anything but a directory. Valid until the tree changes. */
  children(parent: NodeId): ReadonlyMap<string, NodeId>;
  /** The children as directory entries, sorted by name in code-unit order. Cached: callers must not change them. */
  entries(parent: NodeId): readonly DirectoryEntry[];
}

const NO_CHILDREN: ReadonlyMap<string, NodeId> = new Map();

/**
 * Returns the children of a directory as entries, sorted by name in code-unit order. Builds a new list each time, unlike
 * `entries` of a tree, which may cache it.
 */
export function listChildren(tree: TreeView, parent: NodeId): DirectoryEntry[] {
  const children = tree.children(parent);
  const entries: DirectoryEntry[] = [];
  for (const name of [...children.keys()].sort()) {
    const state = tree.node(children.get(name) ?? parent);
    if (state !== undefined) entries.push({ name, type: state.type, size: state.size });
  }
  return entries;
}

/** The committed entries of a workspace. Holds metadata only; bytes are found by blob id. */
export class NodeTree implements TreeView {
  #nodes = new Map<NodeId, NodeState>([[ROOT_ID, ROOT]]);
  #children = new Map<NodeId, Map<string, NodeId>>();
  /** Cached listings of directories, until they change. */
  #entries = new Map<NodeId, readonly DirectoryEntry[]>();
  /** Removed directories and their children, until the next `sweep`. */
  #emptied: [id: NodeId, children: ReadonlyMap<string, NodeId>][] = [];

  /** The number of nodes, including the root. */
  get size(): number {
    return this.#nodes.size;
  }

  node(id: NodeId): NodeState | undefined {
    return this.#nodes.get(id);
  }

  child(parent: NodeId, name: string): NodeId | undefined {
    return this.#children.get(parent)?.get(name);
  }

  children(parent: NodeId): ReadonlyMap<string, NodeId> {
    return this.#children.get(parent) ?? NO_CHILDREN;
  }

  entries(parent: NodeId): readonly DirectoryEntry[] {
    const known = this.#entries.get(parent);
    if (known !== undefined) return known;
    const entries = listChildren(this, parent);
    this.#entries.set(parent, entries);
    return entries;
  }

  /** All nodes, including the root. */
  nodes(): Iterable<[id: NodeId, state: NodeState]> {
    return this.#nodes;
  }

  /** The directories that have children. */
  directories(): Iterable<NodeId> {
    return this.#children.keys();
  }

  /** Applies a commit. Returns the nodes that were removed with a directory and not listed themselves. */
  apply(changes: NodeChanges): RemovedNode[] {
    for (const [id, state] of changes) this.put(id, state);
    return this.sweep();
  }

  /** Sets or removes one node. Must be followed by `sweep` once all nodes of a commit have been put. */
  put(id: NodeId, state: NodeState | null): void {
    const old = this.#nodes.get(id);
    if (old !== undefined) {
      this.#entries.delete(old.parent);
      if (!isSamePlace(old, state)) {
        const siblings = this.#children.get(old.parent);
        if (siblings?.get(old.name) === id) siblings.delete(old.name);
      }
    }
    if (state === null) {
      const children = this.#children.get(id);
      if (children !== undefined && children.size > 0) this.#emptied.push([id, children]);
      this.#forget(id);
      return;
    }
    this.#nodes.set(id, state);
    this.#entries.delete(state.parent);
    const siblings = this.#children.get(state.parent);
    if (siblings === undefined) this.#children.set(state.parent, new Map([[state.name, id]]));
    else siblings.set(state.name, id);
  }

  /** Removes, and returns, everything below removed directories that has not been moved elsewhere. */
  sweep(): RemovedNode[] {
    const removed: RemovedNode[] = [];
    for (let next = this.#emptied.pop(); next !== undefined; next = this.#emptied.pop()) {
      const [parent, children] = next;
      for (const id of children.values()) {
        const before = this.#nodes.get(id);
        if (before === undefined || before.parent !== parent) continue;
        removed.push({ id, before, after: null });
        const below = this.#children.get(id);
        if (below !== undefined) this.#emptied.push([id, below]);
        this.#forget(id);
      }
    }
    return removed;
  }

  #forget(id: NodeId): void {
    this.#nodes.delete(id);
    this.#children.delete(id);
    this.#entries.delete(id);
  }
}

/** A tree that consists of another tree, which stays unchanged, and changes on top of it. */
export class TreeOverlay implements TreeView {
  /** The state of each changed node; null if it was removed. In an order that `apply` accepts. */
  readonly changes = new Map<NodeId, NodeState | null>();
  /** Changes whose names are not yet in `#known`. They are added lazily: callers that only put nodes never need names. */
  #moves: { id: NodeId; from: NodeState | undefined; to: NodeState | null }[] = [];
  #known = new Map<NodeId, Map<string, NodeId | null>>();
  readonly #base: TreeView;

  constructor(base: TreeView) {
    this.#base = base;
  }

  node(id: NodeId): NodeState | undefined {
    const changed = this.changes.get(id);
    return changed === undefined ? this.#base.node(id) : (changed ?? undefined);
  }

  child(parent: NodeId, name: string): NodeId | undefined {
    const linked = this.#links.get(parent)?.get(name);
    return linked === undefined ? this.#base.child(parent, name) : (linked ?? undefined);
  }

  children(parent: NodeId): ReadonlyMap<string, NodeId> {
    const children = this.#base.children(parent);
    const links = this.#links.get(parent);
    if (links === undefined) return children;
    const linked = new Map(children);
    for (const [name, id] of links) {
      if (id === null) linked.delete(name);
      else linked.set(name, id);
    }
    return linked;
  }

  entries(parent: NodeId): readonly DirectoryEntry[] {
    return this.#links.has(parent) ? listChildren(this, parent) : this.#base.entries(parent);
  }

  /** Sets or removes one node. To remove a directory with everything in it, use `remove`. */
  put(id: NodeId, state: NodeState | null): void {
    this.#moves.push({ id, from: this.node(id), to: state });
    this.changes.set(id, state);
  }

  /** Removes a node and everything below it; only descendants changed in this overlay need to be listed. */
  remove(id: NodeId): void {
    if (this.changes.size > 0)
      for (const below of descendants(this, id)) if (this.changes.has(below)) this.changes.set(below, null);
    this.put(id, null);
  }

  apply(changes: NodeChanges): void {
    for (const [id, state] of changes) this.put(id, state);
  }

  /** For each directory, the names that lead to a different node than in the base, or to none (null). */
  get #links(): ReadonlyMap<NodeId, ReadonlyMap<string, NodeId | null>> {
    if (this.#moves.length === 0) return this.#known;
    const moves = this.#moves;
    this.#moves = [];
    for (const { id, from, to } of moves) {
      if (from !== undefined && !isSamePlace(from, to) && this.child(from.parent, from.name) === id)
        this.#link(from.parent, from.name, null);
      if (to !== null) this.#link(to.parent, to.name, id);
    }
    return this.#known;
  }

  #link(parent: NodeId, name: string, id: NodeId | null): void {
    const links = this.#known.get(parent);
    if (links === undefined) this.#known.set(parent, new Map([[name, id]]));
    else links.set(name, id);
  }
}

const isSamePlace = (old: NodeState, state: NodeState | null): boolean =>
  state !== null && old.parent === state.parent && old.name === state.name;

/**
 * Returns `changes` and, in addition, the removals that they imply: of everything below a removed directory of `tree` that
 * is not listed itself.
 */
export function withDescendants(tree: TreeView, changes: NodeChanges): NodeChanges {
  const all = new Map(changes);
  for (const [removed, state] of changes) {
    if (state !== null) continue;
    const emptied = [removed];
    for (let id = emptied.pop(); id !== undefined; id = emptied.pop()) {
      for (const child of tree.children(id).values()) {
        if (all.has(child)) continue;
        all.set(child, null);
        emptied.push(child);
      }
    }
  }
  return all;
}

/** Returns the ids of a node and of everything below it, parents first. */
export function descendants(tree: TreeView, id: NodeId): NodeId[] {
  const found = [id];
  for (let index = 0; index < found.length; index++)
    for (const child of tree.children(found[index] ?? id).values()) found.push(child);
  return found;
}
