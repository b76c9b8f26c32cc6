import type { EntryType, Version } from './file-system.ts';

/** Names an entry for as long as the workspace lives, wherever it is moved; never used again. */
export type NodeId = number;

/** Names immutable bytes; never used again. */
export type BlobId = number;

/** The blob of what has no bytes: directories, symlinks, empty files. */
export const NO_BLOB: BlobId = 0;

export const ROOT_ID: NodeId = 0;

/** An entry as it stands between two commits. A change makes a new object, so a state can be kept as a before-image. */
export interface NodeState {
  readonly parent: NodeId;
  readonly name: string;
  readonly type: EntryType;
  /** Bytes of content, or of a symlink's target. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  /** Of the commit that last made, changed or moved this node itself. */
  readonly version: Version;
  readonly blob: BlobId;
  /** A symlink's text. */
  readonly target?: string;
}

/** What a commit leaves of each node it touches; null where it is gone. */
export type NodeChanges = ReadonlyMap<NodeId, NodeState | null>;

const ROOT: NodeState = {
  parent: ROOT_ID,
  name: '',
  type: 'directory',
  size: 0,
  mtimeMs: 0,
  mode: 0o755,
  version: 0,
  blob: NO_BLOB,
};

/** 2 ** 21 ids per commit leave room for 2 ** 32 commits among the safe integers. */
const IDS_PER_COMMIT = 2 ** 21;

/**
 * The `index`-th new id of commit `sequence`, from 1. Ids come from the number a commit claims, so two tabs that make
 * the same id cannot both commit it. Throws RangeError where one commit needs more than 2,097,151.
 */
export function idOf(sequence: Version, index: number): number {
  if (index >= IDS_PER_COMMIT) throw new RangeError('One transaction makes too many files; split it.');
  return sequence * IDS_PER_COMMIT + index;
}

/** The `index`-th pack of commit `sequence`, from 1: ids like the others, from the other end. */
export const packIdOf = (sequence: Version, index: number): number => (sequence + 1) * IDS_PER_COMMIT - index;

/** The commit that made an id. */
export const sequenceOf = (id: number): Version => Math.floor(id / IDS_PER_COMMIT);

/** Nodes by id and by their place. */
export interface TreeView {
  node(id: NodeId): NodeState | undefined;
  child(parent: NodeId, name: string): NodeId | undefined;
  children(parent: NodeId): ReadonlyMap<string, NodeId>;
}

const NO_CHILDREN: ReadonlyMap<string, NodeId> = new Map();

/** The committed entries of a workspace. Holds metadata only; bytes are found by their blob's id. */
export class NodeTree implements TreeView {
  #nodes = new Map<NodeId, NodeState>([[ROOT_ID, ROOT]]);
  #children = new Map<NodeId, Map<string, NodeId>>();

  /** Nodes, the root among them. */
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

  nodes(): Iterable<[id: NodeId, state: NodeState]> {
    return this.#nodes;
  }

  apply(changes: NodeChanges): void {
    for (const [id, state] of changes) this.#put(id, state);
  }

  #put(id: NodeId, state: NodeState | null): void {
    const old = this.#nodes.get(id);
    if (old !== undefined && !isSamePlace(old, state)) {
      const siblings = this.#children.get(old.parent);
      if (siblings?.get(old.name) === id) siblings.delete(old.name);
    }
    if (state === null) {
      this.#nodes.delete(id);
      this.#children.delete(id);
      return;
    }
    this.#nodes.set(id, state);
    const siblings = this.#children.get(state.parent);
    if (siblings === undefined) this.#children.set(state.parent, new Map([[state.name, id]]));
    else siblings.set(state.name, id);
  }
}

/** Changes laid over a tree, which stays as it is. */
export class TreeOverlay implements TreeView {
  /** In an order in which `apply` can take them. */
  readonly changes = new Map<NodeId, NodeState | null>();
  #links = new Map<NodeId, Map<string, NodeId | null>>();
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

  put(id: NodeId, state: NodeState | null): void {
    const old = this.node(id);
    if (old !== undefined && !isSamePlace(old, state) && this.child(old.parent, old.name) === id)
      this.#link(old.parent, old.name, null);
    this.changes.set(id, state);
    if (state !== null) this.#link(state.parent, state.name, id);
  }

  /** Removes a node and all below it. Only the node itself is unlinked: nothing leads to the others any more. */
  remove(id: NodeId): void {
    const gone = descendants(this, id);
    for (let index = gone.length - 1; index > 0; index--) this.changes.set(gone[index] ?? id, null);
    this.put(id, null);
  }

  apply(changes: NodeChanges): void {
    for (const [id, state] of changes) this.put(id, state);
  }

  #link(parent: NodeId, name: string, id: NodeId | null): void {
    const links = this.#links.get(parent);
    if (links === undefined) this.#links.set(parent, new Map([[name, id]]));
    else links.set(name, id);
  }
}

const isSamePlace = (old: NodeState, state: NodeState | null): boolean =>
  state !== null && old.parent === state.parent && old.name === state.name;

/** A node and all below it, parents first. */
export function descendants(tree: TreeView, id: NodeId): NodeId[] {
  const found = [id];
  for (let index = 0; index < found.length; index++)
    for (const child of tree.children(found[index] ?? id).values()) found.push(child);
  return found;
}
