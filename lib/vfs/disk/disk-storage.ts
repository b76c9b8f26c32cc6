import { readdirSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { type Fences, isFencedOff, withFence } from '#lib/vfs/fences.ts';
import { fileChanges, Paths } from '#lib/vfs/file-changes.ts';
import type { Author, Version } from '#lib/vfs/file-system.ts';
import type { PathAccess } from '#lib/vfs/folder-access.ts';
import {
  type BlobId,
  descendants,
  NO_BLOB,
  type NodeChanges,
  type NodeId,
  type NodeState,
  ROOT_ID,
  TreeOverlay,
  withDescendants,
} from '#lib/vfs/node-tree.ts';
import type { Commit, FileContent, LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { applyCommit, ChangedMeanwhile, STAGING } from './apply-commit.ts';
import type { CommitRecord, CommitRecorder, DiskCommit } from './commit-recorder.ts';
import { diskError } from './disk-error.ts';
import { DiskTree } from './disk-tree.ts';
import { linkAt, readAt } from './entry-content.ts';
import { diskTarget } from './link-target.ts';
import { inDirectory } from './pinned-directory.ts';

const EMPTY = new Uint8Array();

/** The longest path that a commit may have, in characters: no system allows longer ones, and each name in it takes time. */
const PATH_MAX = 4_000;

/** The number of commits that are remembered, for questions about the calls that made them. */
const COMMITS_MAX = 1_000;

/** Options for opening a directory. */
interface DiskOptions {
  /** Returns what tools may do with a path; by default, everything is open. */
  accessOf?(path: string): PathAccess;
  /**
   * Returns a function that checks whether tools may not change a path now, although it is open; by default, there are no such
   * paths. Called once for each commit.
   */
  protectionNow?(): (path: string) => boolean;
  /** The folder in which changes are prepared, as a path from the root; tools do not see it. By default, `STAGING`. */
  staging?: string;
  recorder?: CommitRecorder;
}

/**
 * A directory on disk as a workspace. It is read as far as it is needed. Paths are resolved in the workspace's own tree,
 * never by the disk: symlinks are only followed inside the workspace, so no path leads out, also if another program
 * exchanges a directory for a symlink between check and use. Changes by other programs are noticed whenever something is
 * looked up, read or committed. Earlier contents are not kept.
 */
export class DiskStorage implements WorkspaceStorage {
  readonly tree: DiskTree;
  /** The folder in which changes are prepared, as a path from the root. */
  readonly staging: string;
  /** The directory on disk; real and absolute. */
  readonly #root: string;
  readonly #accessOf: (path: string) => PathAccess;
  readonly #protectionNow: () => (path: string) => boolean;
  readonly #recorder: CommitRecorder | undefined;
  /** The sequence number of the last commit. Begins at 1, so that entries that are there at the start have a version. */
  #sequence: Version = 1;
  #commits: LogEntry[] = [];
  #listeners = new Set<(update: StorageUpdate) => void>();
  /** Serializes operations on the disk. */
  readonly #queue = new SerialQueue();
  #fences: Fences = [];

  /** Opens a directory. Rejects with FileSystemError ENOENT if it does not exist, ENOTDIR if it is a file. */
  static async open(directory: string, options: DiskOptions = {}): Promise<DiskStorage> {
    try {
      const root = await realpath(directory);
      if (!(await stat(root)).isDirectory()) throw new FileSystemError('ENOTDIR', '/');
      return new DiskStorage(root, options);
    } catch (error) {
      throw diskError('/', error);
    }
  }

  private constructor(
    root: string,
    { accessOf = () => 'open', protectionNow = () => () => false, staging = STAGING, recorder }: DiskOptions,
  ) {
    this.staging = staging;
    this.#root = root;
    this.#accessOf = accessOf;
    this.#protectionNow = protectionNow;
    this.#recorder = recorder;
    this.tree = new DiskTree({
      root,
      isHidden: (path) => path === staging || accessOf(path) === 'hidden',
      isUnlisted: (path) => accessOf(path) === 'unlisted',
      version: () => this.#sequence,
      onChange: (changes) => this.#noteOthers(changes),
    });
  }

  /** The number of the last commit, or change by another program, that the tree has. */
  get sequence(): Version {
    return this.#sequence;
  }

  /** The oldest point that can be restored: always the newest one, because the disk keeps no history. */
  get floor(): Version {
    return this.#sequence;
  }

  /**
   * Stores a single commit, all or nothing; rejects with EIO if there are several. Resolves with false if something has changed
   * meanwhile: the tree then has that, and the transaction must run again. Rejects with EEXIST if something is in the way that
   * the workspace cannot represent, such as a socket, with EACCES for a path that tools may not change, and with ESTALE if
   * another program is changing the files. There is no choice of durability.
   */
  commit(commits: readonly Commit[]): Promise<boolean> {
    return this.#queue.run(async () => {
      const [first, ...others] = commits;
      if (first?.sequence !== this.#sequence + 1) return false;
      if (isFencedOff(this.#fences, first.author)) throw new FileSystemError('ECANCELED', '/');
      // A disk applies a single commit or none; commits that arrive together are stored one by one when they are
      // retried.
      if (others.length > 0) throw new FileSystemError('EIO', '/', { detail: 'one commit at a time' });
      for (const [id, after] of first.changes) this.#loadLeaving(id, after);
      // Loading may have shown changes by others.
      if (first.sequence !== this.#sequence + 1) return false;
      const commit = { ...first, changes: withDescendants(this.tree.known, first.changes) };
      this.#refuseUnfit(commit.changes);
      const stranger = this.#findStranger(commit.changes);
      if (stranger !== undefined) {
        this.#check(stranger);
        // An entry that the workspace cannot represent, such as a socket, stays in the way.
        if (this.#sequence + 1 === commit.sequence) throw new FileSystemError('EEXIST', stranger);
        return false;
      }
      const record = await this.#begin(commit);
      try {
        await applyCommit(
          {
            root: this.#root,
            tree: this.tree.known,
            commit,
            staging: this.staging,
            isUnchanged: (id, place) => this.tree.isSame(id, place),
          },
          record && { id: record.id, onApplied: () => record.done(), onTakenBack: () => record.failed() },
        );
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        this.#check(error.path);
        // The change is made again with what is there now.
        if (this.#sequence + 1 !== commit.sequence) return false;
        throw new FileSystemError('ESTALE', error.path, { detail: 'another program is changing it' });
      }
      this.#take(commit);
      return true;
    });
  }

  /** Lets the recorder note a commit before it is made. Rejects with `FileSystemError`; then nothing was changed. */
  async #begin(commit: Commit): Promise<CommitRecord | undefined> {
    const described = this.#describe(commit);
    try {
      return await this.#recorder?.begin(described);
    } catch (error) {
      throw diskError(described.changes[0]?.path ?? '/', error);
    }
  }

  /**
   * Finds changes by other programs in directories that were listed, and reports them to listeners; does nothing without
   * listeners, because lookups are up to date anyway. Rejects with FileSystemError: the code of the disk, or EIO.
   */
  refresh(): Promise<void> {
    return this.#queue.run(() => {
      try {
        inDirectory(this.#root, '/', () => undefined);
        if (this.#listeners.size > 0) this.tree.check();
      } catch (error) {
        throw diskError('/', error);
      }
    });
  }

  /** Reads a file's bytes. Rejects with EIO also if another program changed the file, after updating the tree. */
  async readBlob({ blob }: FileContent, path: string): Promise<Uint8Array> {
    if (blob === NO_BLOB) return EMPTY;
    const id = this.tree.ownerOf(blob);
    const place = id === undefined ? undefined : this.tree.pathOf(id);
    if (id === undefined || place === undefined) throw new FileSystemError('EIO', path);
    const data = readAt(this.#root, place, this.tree.signature(id));
    if (data !== undefined) return data;
    this.#check(place);
    throw new FileSystemError('EIO', path, { detail: 'another program changed the file while it was being read' });
  }

  /** Always empty: the disk keeps no history. */
  async log(): Promise<readonly LogEntry[]> {
    return [];
  }

  /** Refuses later commits of an executor (`claimant`) for a call, because another one has taken the call over. */
  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#fences = withFence(this.#fences, toolCallId, claimant);
    });
  }

  /** The commits of a call among the last `COMMITS_MAX` since the storage was opened. Earlier ones are only in a journal. */
  async commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#commits.filter(({ author }) => author.type === 'call' && author.toolCallId === toolCallId);
  }

  /** Does nothing: there is no history to delete. */
  async forget(): Promise<void> {}

  subscribe(listener: (update: StorageUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads everything below a directory that is to be removed or moved. Does nothing for any other node. */
  #loadLeaving(id: NodeId, after: NodeState | null): void {
    const before = this.tree.known.node(id);
    if (before?.type !== 'directory') return;
    if (after === null || after.parent !== before.parent || after.name !== before.name) this.tree.load(id);
  }

  #refuseUnfit(changes: NodeChanges): void {
    const next = new TreeOverlay(this.tree.known);
    next.apply(changes);
    const isProtected = this.#protectionNow();
    for (const tree of [this.tree.known, next]) {
      const paths = new Paths(tree);
      const checked = new Set<NodeId>();
      for (const id of changes.keys())
        for (const node of checked.has(id) ? [] : descendants(tree, id)) {
          checked.add(node);
          const path = paths.of(node) ?? '/';
          if (path.length > PATH_MAX) throw new FileSystemError('ENAMETOOLONG', path, { detail: 'path is too long' });
          if (path === '/' || (this.#accessOf(path) === 'open' && !isProtected(path))) continue;
          throw new FileSystemError('EACCES', path, { detail: 'tools may not change this path' });
        }
    }
  }

  /** Finds a path that a commit touches and whose state on disk differs from the tree. */
  #findStranger(changes: NodeChanges): string | undefined {
    const { known } = this.tree;
    const after = new TreeOverlay(known);
    after.apply(changes);
    const [before, next] = [new Paths(known), new Paths(after)];
    for (const id of changes.keys()) {
      const from = before.of(id);
      if (id !== ROOT_ID && from !== undefined) {
        if (this.tree.signatureNow(from) !== this.tree.signature(id)) return from;
        const unseen = after.node(id) === undefined ? this.#unseenIn(id, from) : undefined;
        if (unseen !== undefined) return unseen;
      }
      const to = next.of(id);
      const isFree = to === undefined || this.#isKnownAt(after.node(id));
      if (!isFree && this.#isOnDisk(to)) return to;
    }
    return undefined;
  }

  /** Checks whether there is something at a path itself, and not only where a symlink on the way leads. */
  #isOnDisk(path: string): boolean {
    try {
      return this.tree.signatureNow(path) !== undefined;
    } catch (error) {
      if (error instanceof FileSystemError && error.code === 'EACCES') return false;
      throw error;
    }
  }

  /** Finds an entry that another program has created in a directory that is to be removed. */
  #unseenIn(id: NodeId, path: string): string | undefined {
    if (this.tree.known.node(id)?.type !== 'directory') return undefined;
    const names = inDirectory(this.#root, path, (at) => readdirSync(at()));
    const unseen = names.find((name) => this.tree.known.child(id, name) === undefined);
    return unseen === undefined ? undefined : `${path}/${unseen}`;
  }

  /** Checks whether the tree has an entry at a node's path. */
  #isKnownAt(state: NodeState | undefined): boolean {
    return state !== undefined && this.tree.known.child(state.parent, state.name) !== undefined;
  }

  /** Brings the tree up to date at a path. */
  #check(path: string): void {
    const names = path.split('/').slice(1);
    let node: NodeId | undefined = ROOT_ID;
    for (const name of names) {
      if (node === undefined) return;
      node = this.tree.child(node, name);
    }
  }

  #describe({ author, changes, blobs }: Commit): DiskCommit {
    const { known } = this.tree;
    const next = new TreeOverlay(known);
    next.apply(changes);
    const [before, after] = [new Paths(known), new Paths(next)];
    const paths = new Map<string, { path: string; before: NodeState | undefined; after: NodeState | undefined }>();
    const at = (path: string) => {
      const change = paths.get(path) ?? { path, before: undefined, after: undefined };
      paths.set(path, change);
      return change;
    };
    for (const id of changes.keys()) {
      const [from, to] = [before.of(id), after.of(id)];
      const isMove = from !== undefined && to !== undefined && from !== to;
      // The entries below a directory that moves are not among the changes.
      const ids = isMove ? new Set([...descendants(known, id), ...descendants(next, id)]) : [id];
      for (const node of ids) {
        const [nodeFrom, nodeTo] = [before.of(node), after.of(node)];
        if (nodeFrom !== undefined) at(nodeFrom).before = known.node(node);
        if (nodeTo !== undefined) at(nodeTo).after = next.node(node);
      }
    }
    return {
      author,
      changes: [...paths.values()],
      linkOf: (state) => this.#linkOf(state, before, after, next),
      signatureOf: ({ parent, name, blob }) => {
        const id = known.child(parent, name);
        return id !== undefined && known.node(id)?.blob === blob ? this.tree.signature(id) : undefined;
      },
      signatureNow: (path) => this.tree.signatureNow(path),
      contentOf: ({ blob }) => (blob === NO_BLOB ? EMPTY : (blobs.get(blob) ?? this.#contentNow(blob))),
    };
  }

  /** The target of a symlink on disk: as it is there, or as the commit will write it. */
  #linkOf(state: NodeState, before: Paths, after: Paths, next: TreeOverlay): string {
    const id = this.tree.known.child(state.parent, state.name);
    const path = id !== undefined && this.tree.known.node(id) === state ? before.of(id) : undefined;
    const raw = path === undefined ? undefined : linkAt(this.#root, path);
    const created = next.child(state.parent, state.name);
    return raw ?? diskTarget((created === undefined ? undefined : after.of(created)) ?? '/', state.target ?? '');
  }

  /** The content of a file in the tree, read from disk; undefined if it cannot be read, or has changed. */
  #contentNow(blob: BlobId): Uint8Array | undefined {
    const id = this.tree.ownerOf(blob);
    const path = id === undefined ? undefined : this.tree.pathOf(id);
    try {
      return id === undefined || path === undefined ? undefined : readAt(this.#root, path, this.tree.signature(id));
    } catch {
      return undefined;
    }
  }

  #take({ sequence, author, time, changes }: Commit): void {
    const { known } = this.tree;
    const report = this.#listeners.size === 0 ? [] : fileChanges(known, changes, author);
    const entry = Array.from(changes, ([id, after]) => ({ id, before: known.node(id) ?? null, after }));
    this.tree.apply(changes);
    this.#sequence = sequence;
    this.#commits.push({ sequence, author, time, changes: entry });
    if (this.#commits.length > COMMITS_MAX) this.#commits.shift();
    for (const listener of this.#listeners) listener({ sequence, report, changes });
  }

  /** Raises the sequence number for changes by other programs, and reports them to listeners as a commit by the user. */
  #noteOthers(changes: NodeChanges): void {
    const author: Author = { type: 'person' };
    const report = this.#listeners.size === 0 ? [] : fileChanges(this.tree.known, changes, author);
    const sequence = ++this.#sequence;
    // Listeners should find the tree as it is after the change.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener({ sequence, report, changes });
    });
  }
}
