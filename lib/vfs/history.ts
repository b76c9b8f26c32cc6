// More than 400 lines: one history, and every way back in it.
import { defined } from '#lib/base/defined.ts';
import { FileSystemError } from './errors.ts';
import { type PathChange, Paths, pathChanges } from './file-changes.ts';
import type { Author, Version } from './file-system.ts';
import { BULK_MIN_NODES } from './limits.ts';
import {
  type BlobId,
  descendants,
  NO_BLOB,
  type NodeChanges,
  type NodeId,
  type NodeState,
  ROOT_ID,
  TreeOverlay,
} from './node-tree.ts';
import { joinPath } from './paths.ts';
import { type Removal, removedIn } from './removals.ts';
import type { TreeTransaction } from './transaction.ts';
import type { TreeFileSystem } from './tree-file-system.ts';
import type { FileContent, LogEntry, WorkspaceStorage } from './workspace-storage.ts';

/** One commit of the history, with its changes by the paths at that time. Not a step of a turn. */
export interface HistoryCommit {
  sequence: Version;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /** The changes that the commit made, by path. */
  changes: readonly PathChange[];
}

/** A file as a call has left it. */
interface CallFile {
  path: string;
  content: FileContent;
  /** The contents that the call found at that path, other than its own; empty if there was no file. */
  found: readonly FileContent[];
  /** Whether the call created the file with the content of another one, by moving or copying it. */
  isCopy: boolean;
}

/**
 * The history of a workspace. A point is the state after a commit, identified by the sequence number of that commit; points
 * from `floor` on can be restored.
 */
export class WorkspaceHistory {
  readonly #storage: WorkspaceStorage;
  readonly #fileSystem: TreeFileSystem;

  constructor(storage: WorkspaceStorage, fileSystem: TreeFileSystem) {
    this.#storage = storage;
    this.#fileSystem = fileSystem;
  }

  /** The newest point; restoring to it changes nothing. */
  get sequence(): Version {
    return this.#storage.sequence;
  }

  /** The oldest point that can be restored. */
  get floor(): Version {
    return this.#storage.floor;
  }

  /** The commits after a point, newest first. Rejects with EINVAL for a point that does not exist. */
  async steps(after: Version): Promise<HistoryCommit[]> {
    const log = await this.#logSince(after);
    const past = new TreeOverlay(this.#storage.tree);
    return log.toReversed().map(({ changes, ...entry }) => {
      past.apply(new Map(changes.map(({ id, before }) => [id, before])));
      return { ...entry, changes: pathChanges(past, new Map(changes.map((change) => [change.id, change.after]))) };
    });
  }

  /** Finds the changes to each path between a point and now. Rejects with EINVAL for a point that does not exist. */
  async changesSince(point: Version): Promise<PathChange[]> {
    const log = await this.#logSince(point);
    const past = new TreeOverlay(this.#storage.tree);
    past.apply(firstStates(log));
    const now = new Map<NodeId, NodeState | null>();
    for (const id of past.changes.keys()) now.set(id, this.#storage.tree.node(id) ?? null);
    return pathChanges(past, now).filter(({ before, after }) => !isSame(before ?? null, after ?? null));
  }

  /** Takes a call over from a claimant: the claimant's later commits for the call are refused with ECANCELED. */
  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#storage.fence(toolCallId, claimant);
  }

  /** The sequence numbers of a call's commits that can be undone, in order. */
  async sequencesOf(toolCallId: string): Promise<Version[]> {
    return (await this.#storage.commitsOf(toolCallId)).map(({ sequence }) => sequence);
  }

  /** The sequence number of a call's last commit; undefined if it changed nothing, or if that history has been deleted. */
  async pointAfter(toolCallId: string): Promise<Version | undefined> {
    return (await this.#storage.commitsOf(toolCallId)).at(-1)?.sequence;
  }

  /**
   * The files that a call created or changed, as it left them; at most `limit`. Leaves out commits that the user reviewed (see
   * `isReviewed` of `Author`).
   */
  async filesOf(toolCallId: string, limit: number): Promise<CallFile[]> {
    const [first] = await this.#storage.commitsOf(toolCallId);
    if (first === undefined) return [];
    const files = new Map<string, { content: FileContent; found: FileContent[] }>();
    const found = new Map<string, FileContent[]>();
    for (const { author, changes } of (await this.steps(first.sequence - 1)).reverse()) {
      if (author.type !== 'call' || author.toolCallId !== toolCallId || author.isReviewed === true) continue;
      for (const { path, before, after } of changes) {
        const own = files.get(path)?.content.blob;
        if (before?.type === 'file' && before.blob !== own) found.set(path, [...(found.get(path) ?? []), before]);
        if (after?.type === 'file') files.set(path, { content: after, found: found.get(path) ?? [] });
        else files.delete(path);
      }
    }
    const earlier = await this.#blobsAt(first.sequence - 1);
    return [...files].slice(0, limit).map(([path, file]) => ({
      path,
      ...file,
      isCopy: file.found.length === 0 && earlier.has(file.content.blob),
    }));
  }

  /**
   * Finds the changes that calls have made to each path: from its state before their first commit that changed it, to its state
   * after their last. Others' changes to it in between count as the calls' own. Empty for calls whose history was deleted.
   */
  async changesBy(toolCallIds: readonly string[]): Promise<PathChange[]> {
    const commits = await Promise.all(toolCallIds.map((id) => this.#storage.commitsOf(id)));
    const sequences = new Set(commits.flat().map(({ sequence }) => sequence));
    if (sequences.size === 0) return [];
    const changes = new Map<string, PathChange>();
    for (const step of (await this.steps(Math.min(...sequences) - 1)).reverse()) {
      if (!sequences.has(step.sequence)) continue;
      for (const change of step.changes) {
        const { before } = changes.get(change.path) ?? change;
        const { path, after } = change;
        changes.set(path, { path, ...defined({ before, after }) });
      }
    }
    return [...changes.values()].filter(({ before, after }) => !isSame(before ?? null, after ?? null));
  }

  /** The blob ids of all files that were not empty at a point. */
  async #blobsAt(point: Version): Promise<Set<BlobId>> {
    const past = new TreeOverlay(this.#storage.tree);
    past.apply(firstStates(await this.#logSince(point)));
    const blobs = new Set(descendants(past, ROOT_ID).map((id) => past.node(id)?.blob ?? NO_BLOB));
    blobs.delete(NO_BLOB);
    return blobs;
  }

  /** The contents that the newest `commits` commits gave the file at a path, or found there, each once, newest first. */
  async *contentsAt(path: string, commits: number): AsyncIterable<FileContent> {
    const seen = new Set<FileContent['blob']>();
    for (const { changes } of await this.steps(Math.max(this.floor, this.sequence - commits)))
      for (const change of changes)
        for (const state of change.path === path ? [change.after, change.before] : [])
          if (state?.type === 'file' && !seen.has(state.blob)) {
            seen.add(state.blob);
            yield state;
          }
  }

  /**
   * Restores all files to their state after commit `point`, as one commit. This can be undone by restoring the point
   * before it. Rejects with EINVAL for a point that does not exist.
   */
  restore(author: Author, point: Version): Promise<void> {
    return this.#fileSystem.transactionOfNodes({ ...author, restored: point }, async (tx) => {
      const log = await this.#logSince(point);
      const { states, removals } = wayBack(log);
      putNodes(tx, states);
      tx.returnAll(removals);
    });
  }

  /**
   * The steps whose effects would be lost by restoring a point, newest first. Steps whose effects an earlier restore
   * has already removed are not included. Rejects with EINVAL for a point that does not exist.
   */
  async stepsLostAt(point: Version): Promise<HistoryCommit[]> {
    const { base, log } = await this.#linesSince(point);
    const lost = new Set<Version>();
    let now = this.sequence;
    // Go back along both lines of history to where they meet.
    for (let there = point; now !== there; ) {
      const newer = Math.max(now, there);
      const restored = log[newer - base - 1]?.author.restored;
      // One of the lines goes back further than the log does.
      if (newer <= base) break;
      if (newer === there) there = restored ?? there - 1;
      else {
        if (restored === undefined) lost.add(now);
        now = restored ?? now - 1;
      }
    }
    if (lost.size === 0) return [];
    const steps = await this.steps(Math.min(...lost) - 1);
    return steps.filter(({ sequence, changes }) => lost.has(sequence) && changes.length > 0);
  }

  /**
   * Undoes some commits, as one commit, and leaves everything else unchanged. If other commits have since changed something
   * that these changed, rejects with ESTALE without changing anything; the error's `path` and `detail` name the files.
   * Resolves with the new commit, which can be undone in turn; undefined if there was nothing left to undo.
   */
  undo(author: Author, sequences: readonly Version[]): Promise<Version | undefined> {
    return this.#fileSystem.transactionOfNodes(author, async (tx) => {
      const log = await this.#logSince(Math.min(...sequences) - 1);
      const undone = log.filter(({ sequence }) => sequences.includes(sequence));
      if (undone.length < sequences.length) throw noSuchPoint(Math.max(...sequences));
      const after = lastStates(undone);
      const changed = [...after].filter(([id, state]) => !isSame(tx.tree.node(id) ?? null, state));
      const before = firstStates(undone);
      refuse([
        ...changed.map(([id, state]) => pathIn(tx, state ?? before.get(id) ?? null)),
        ...betweenStates(undone).map((state) => pathIn(tx, state)),
        ...obstacles(tx, before),
      ]);
      const isDone = [...before].every(([id, state]) => isSame(tx.tree.node(id) ?? null, state));
      putNodes(tx, before);
      return isDone ? undefined : tx.sequence;
    });
  }

  /**
   * Adds a content to the history of a file, and leaves the file as it is: stores one commit with that content, and one that
   * undoes it, together. Rejects with the errors that `writeFile` throws.
   */
  note(author: Author, path: string, data: Uint8Array): Promise<void> {
    return this.#fileSystem.note(author, path, data);
  }

  /** Undoes all commits of calls; otherwise like `undo`. Rejects with EINVAL if a call has none, or its history was deleted. */
  async undoCalls(author: Author, toolCallIds: readonly string[]): Promise<Version | undefined> {
    const sequences = await Promise.all(toolCallIds.map((id) => this.sequencesOf(id)));
    if (sequences.some((own) => own.length === 0)) throw noSuchPoint(0);
    return this.undo(author, sequences.flat());
  }

  /** The bytes of a current or past file. Rejects with EIO for `path` if they cannot be read. */
  read(content: FileContent, path: string): Promise<Uint8Array> {
    return this.#storage.readBlob(content, path);
  }

  /** The newest point before `time`, in milliseconds since the epoch; `floor` if there is none. */
  async pointBefore(time: number): Promise<Version> {
    const log = await this.#logSince(this.floor);
    return log.findLast((entry) => entry.time < time)?.sequence ?? this.floor;
  }

  /** Counts the commits before `time` that changed anything, which is the most versions that a file can have from before it. */
  async countBefore(time: number): Promise<number> {
    const log = await this.#logSince(this.floor);
    return log.filter((entry) => entry.time < time && entry.changes.length > 0).length;
  }

  /** Deletes the history before a point, which becomes `floor`, permanently; the files stay unchanged. */
  forget(before: Version): Promise<void> {
    return this.#storage.forget(before);
  }

  /** The commits after `base`, in order. `base` is the point, or an older one if restores among the commits refer to it. */
  async #linesSince(point: Version): Promise<{ base: Version; log: readonly LogEntry[] }> {
    for (let base = point; ; ) {
      const log = await this.#logSince(base);
      const lowest = log.reduce((least, { author: { restored } }) => Math.min(least, restored ?? least), base);
      const reachable = Math.max(lowest, this.floor);
      if (reachable >= base) return { base, log };
      base = reachable;
    }
  }

  /**
   * All commits after a point, up to the tree's current sequence number. Rejects with EINVAL for a point that does not exist.
   */
  async #logSince(point: Version): Promise<readonly LogEntry[]> {
    if (!Number.isSafeInteger(point) || point < this.#storage.floor || point > this.#storage.sequence)
      throw noSuchPoint(point);
    for (;;) {
      const log = await this.#storage.log(point);
      if (point < this.#storage.floor) throw noSuchPoint(point);
      // Others may have committed while the log was being read.
      if (point + log.length === this.#storage.sequence) return log;
    }
  }
}

function noSuchPoint(point: Version): FileSystemError {
  return new FileSystemError('EINVAL', '/', { detail: `the history has no point ${point}; it may have been thinned` });
}

/** The state of each node after the last of the given commits that changed it. */
function lastStates(log: readonly LogEntry[]): NodeChanges {
  return new Map(log.flatMap(({ changes }) => changes.map(({ id, after }) => [id, after])));
}

/** States that other commits gave the same nodes between the given commits. */
function betweenStates(log: readonly LogEntry[]): (NodeState | null)[] {
  const states = new Map<NodeId, NodeState | null>();
  const between: (NodeState | null)[] = [];
  for (const { changes } of log) {
    for (const { id, before, after } of changes) {
      const known = states.get(id);
      if (known !== undefined && !isSame(known, before)) between.push(before ?? known);
      states.set(id, after);
    }
  }
  return between;
}

/** Finds the node states to put, and the removals to revert, that return everything to its state before the given commits. */
function wayBack(log: readonly LogEntry[]): { states: NodeChanges; removals: readonly Removal[] } {
  const candidates = wholeRemovals(log);
  const states = firstStates(log, candidates);
  const gone = [...states.keys()].filter((id) => states.get(id) === null);
  // Nodes created only after the restored point must not come back.
  const removals = candidates.filter(({ ids }) => !gone.some((id) => ids.has(id)));
  return { states: removals.length === candidates.length ? states : firstStates(log, removals), removals };
}

/**
 * The state of each node before the first of the given commits that changed it. Leaves out nodes that `removals` bring back
 * with their folder.
 */
function firstStates(log: readonly LogEntry[], removals: readonly WholeRemoval[] = []): NodeChanges {
  const states = new Map<NodeId, NodeState | null>();
  for (const { sequence, changes } of log) {
    const ids = removals.find((removal) => removal.sequence === sequence)?.ids;
    for (const { id, before } of changes) {
      const isTogether = before !== null && ids?.has(before.parent) === true && ids.has(id);
      if (!isTogether && !states.has(id)) states.set(id, before);
    }
  }
  return states;
}

interface WholeRemoval extends Removal {
  ids: ReadonlySet<NodeId>;
}

/** Bulk removals: commits that removed many nodes, none of which has been touched since. */
function wholeRemovals(log: readonly LogEntry[]): WholeRemoval[] {
  const removals: WholeRemoval[] = [];
  const touched = new Set<NodeId>();
  let left = log.filter(isLarge).length;
  for (let index = log.length - 1; left > 0; index--) {
    const entry = log[index] as LogEntry;
    if (isLarge(entry)) {
      left--;
      const removed = removedIn(entry.changes);
      const ids = new Set(removed.map(({ id }) => id));
      if (removed.length >= BULK_MIN_NODES && !removed.some(({ id }) => touched.has(id)))
        removals.push({ sequence: entry.sequence, removed, ids });
    }
    if (left > 0) for (const { id } of entry.changes) touched.add(id);
  }
  return removals;
}

const isLarge = ({ changes }: LogEntry): boolean => changes.length >= BULK_MIN_NODES;

function putNodes(tx: TreeTransaction, states: NodeChanges): void {
  for (const [id, state] of states) if (!isSame(tx.tree.node(id) ?? null, state)) tx.putNode(id, state);
}

/**
 * Paths where states cannot be put back: something else is at the path, its directory is gone, or a directory that has to be
 * removed has been filled since.
 */
function obstacles(tx: TreeTransaction, states: NodeChanges): string[] {
  const after = new TreeOverlay(tx.tree);
  after.apply(states);
  const paths: string[] = [];
  for (const [id, state] of states) {
    if (state === null) {
      // The directory has been filled since.
      for (const [name, child] of after.children(id)) if (after.node(child) !== undefined) paths.push(name);
      continue;
    }
    const other = tx.tree.child(state.parent, state.name);
    const isTaken = other !== undefined && other !== id && !states.has(other);
    if (isTaken || after.node(state.parent) === undefined) paths.push(pathIn(tx, state));
  }
  return paths;
}

function refuse(paths: readonly string[]): void {
  const [first] = paths;
  if (first === undefined) return;
  const detail = `changed since: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
  throw new FileSystemError('ESTALE', first, { detail, paths });
}

function pathIn(tx: TreeTransaction, state: NodeState | null): string {
  return state === null ? '/' : joinPath(new Paths(tx.tree).of(state.parent) ?? '/…', state.name);
}

/** Checks whether two states are the same entry, with the same content, in the same place; versions and times do not count. */
function isSame(one: NodeState | null, other: NodeState | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.parent === other.parent &&
    one.name === other.name &&
    one.type === other.type &&
    one.blob === other.blob &&
    one.mode === other.mode &&
    one.target === other.target
  );
}
