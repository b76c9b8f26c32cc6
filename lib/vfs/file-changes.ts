import type { Author, FileChange } from './file-system.ts';
import {
  descendants,
  type NodeChanges,
  type NodeId,
  type NodeState,
  type NodeTree,
  ROOT_ID,
  TreeOverlay,
  type TreeView,
  withDescendants,
} from './node-tree.ts';
import { joinPath } from './paths.ts';

/**
 * The change to one path of the workspace: the states of the file, directory, or symlink there, `before` and `after`. Without
 * `before`, it was created; without `after`, deleted; with both, changed. A move is two changes: deleted at the old path,
 * created at the new one.
 */
export interface PathChange {
  path: string;
  before?: NodeState;
  after?: NodeState;
}

/** Finds the changes to each path that `changes` would make to a tree. A move removes one path and creates another. */
export function pathChanges(tree: TreeView, changes: NodeChanges): PathChange[] {
  const next = new TreeOverlay(tree);
  next.apply(changes);
  const [before, after] = [new Paths(tree), new Paths(next)];
  const report = new Map<string, PathChange>();
  const note = (side: 'before' | 'after', view: TreeView, path: string | undefined, id: NodeId) => {
    const state = view.node(id);
    if (path !== undefined && state !== undefined) report.set(path, { ...report.get(path), path, [side]: state });
  };
  for (const id of withDescendants(tree, changes).keys()) {
    const [from, to] = [before.of(id), after.of(id)];
    note('before', tree, from, id);
    note('after', next, to, id);
    if (from === undefined || to === undefined || from === to) continue;
    // Nodes below a moved directory are not listed among the changes.
    for (const node of descendants(tree, id)) note('before', tree, before.of(node), node);
    for (const node of descendants(next, id)) note('after', next, after.of(node), node);
  }
  return [...report.values()];
}

/**
 * Lists the paths of files and directories that `changes` would create, change, or delete in a tree, in the form that
 * `FileSystem.watch` reports. What is moved is deleted at its old path and created at its new one, with all that is in it. Each
 * change gets `author` as its author.
 */
export function fileChanges(tree: TreeView, changes: NodeChanges, author: Author): FileChange[] {
  return pathChanges(tree, changes).map(({ path, before, after }) => ({
    path,
    type: changeType(before, after),
    author,
  }));
}

/** The type of a change from one state to another; undefined stands for no entry. At least one state must be given. */
export function changeType(before: NodeState | undefined, after: NodeState | undefined): FileChange['type'] {
  if (before === undefined) return 'created';
  return after === undefined ? 'deleted' : 'changed';
}

/** Resolves nodes to their absolute paths. Paths are cached, so the tree must not change while an instance is used. */
export class Paths {
  readonly #tree: TreeView;
  readonly #known = new Map<NodeId, string>([[ROOT_ID, '/']]);

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** The absolute path of a node; undefined for a node that is not in the tree. */
  of(id: NodeId): string | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const state = this.#tree.node(id);
    const parent = state === undefined ? undefined : this.of(state.parent);
    if (state === undefined || parent === undefined) return undefined;
    const path = joinPath(parent, state.name);
    this.#known.set(id, path);
    return path;
  }
}

/**
 * Finds the changes between two trees, as when a tab has loaded a whole tree again. The real authors are unknown, so the
 * changes are attributed to the user.
 */
export function differences(before: NodeTree, after: NodeTree): FileChange[] {
  const author: Author = { type: 'person' };
  const report: FileChange[] = [];
  const [old, now] = [pathsOf(before), pathsOf(after)];
  for (const [path, state] of now) {
    const known = old.get(path);
    if (known === undefined) report.push({ path, type: 'created', author });
    else if (known !== state && !isEqual(known, state)) report.push({ path, type: 'changed', author });
  }
  for (const path of old.keys()) if (!now.has(path)) report.push({ path, type: 'deleted', author });
  return report;
}

function pathsOf(tree: NodeTree): Map<string, NodeState> {
  const paths = new Paths(tree);
  const states = new Map<string, NodeState>();
  for (const [id, state] of tree.nodes()) states.set(paths.of(id) ?? '', state);
  return states;
}

const isEqual = (one: NodeState, other: NodeState): boolean =>
  one.version === other.version && one.blob === other.blob && one.type === other.type;
