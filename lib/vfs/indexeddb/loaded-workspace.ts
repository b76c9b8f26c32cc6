import { differences, fileChanges } from '../file-changes.ts';
import type { Version } from '../file-system.ts';
import { TAIL_MAX_BYTES, TAIL_MAX_COMMITS } from '../limits.ts';
import { NodeTree } from '../node-tree.ts';
import { removedIn, withReturned } from '../removals.ts';
import { decodePacks, decodeSnapshot, type Snapshot } from '../snapshot.ts';
import type { LogEntry, StorageUpdate } from '../workspace-storage.ts';
import { BlobStore } from './blob-store.ts';
import type { Connection } from './connection.ts';
import { type EncodedTree, encodeStored, encodeTree } from './encoded-tree.ts';
import type { LoggedCommit } from './log-records.ts';
import type { Packing } from './packing.ts';
import { changesOf, EMPTY_HEAD, eachState, generationOf, type Head } from './schema.ts';
import { readSince, readStored } from './stored-tree.ts';
import { UnnamedChanges } from './unnamed-changes.ts';

/**
 * The delay before a commit is applied to the tree if nobody reads the tree earlier, in milliseconds; avoids applying commits
 * one by one while more are arriving.
 */
const APPLY_DELAY_MS = 20;

/** A commit that is stored but not yet applied to the tree in memory. */
interface Pending extends LoggedCommit {
  /** The commits whose removals it reverts. */
  returned: readonly LoggedCommit[];
}

type Listener = (update: StorageUpdate) => void;

/** The listeners that learn of a commit, and its requester. */
interface Audience {
  listeners: readonly Listener[];
  origin: object | undefined;
}

/**
 * The part of a workspace that a tab has loaded: the tree up to commit `sequence`, the locations of file contents, and the
 * workspace's metadata (`head`). Commits are added once they are stored, by this tab or another, and applied to the tree
 * when it is read. No two calls of `load`, `catchUp` and `completeLog` may overlap. They reject with IndexedDB's errors, or
 * EIO once closed.
 */
export class LoadedWorkspace {
  readonly #connection: Connection;
  readonly #unnamed: UnnamedChanges;
  #blobs: BlobStore;
  #nodes = new NodeTree();
  /** The snapshot that `#blobs` and `#nodes` start from; undefined once it has been applied. */
  #snapshot: Snapshot | undefined;
  /** Commits that are still to be applied to `#blobs` and `#nodes`. */
  #pending: Pending[] = [];
  /** Whether nobody has accessed the tree since it was loaded. */
  #isUntouched = true;
  #applyTimer: ReturnType<typeof setTimeout> | undefined;
  #sequence: Version = 0;
  #head = EMPTY_HEAD;
  /** Bytes of small contents that are in the log's tail. */
  #tailBytes = 0;
  readonly #listeners = new Map<Listener, (origin?: object) => boolean>();

  /**
   * Makes an empty workspace; `load` fills it. `onIncomplete` is called some time after a commit has made `completeLog`
   * necessary.
   */
  constructor(connection: Connection, onIncomplete: () => void) {
    this.#connection = connection;
    this.#unnamed = new UnnamedChanges(onIncomplete);
    this.#blobs = new BlobStore(connection.db);
  }

  /**
   * The tree up to commit `sequence`; commits that are still to be applied to it are applied first. Throws FileSystemError EIO
   * if the database was closed.
   */
  get tree(): NodeTree {
    this.#connection.check('/');
    this.#applyPending();
    return this.#nodes;
  }

  /** The contents of the tree's files, and of past ones. */
  get contents(): BlobStore {
    this.#applyPending();
    return this.#blobs;
  }

  /** The last commit that was added. */
  get sequence(): Version {
    return this.#sequence;
  }

  /** The head as of the last `load` or fold. Fences are not kept up to date. */
  get head(): Head {
    return this.#head;
  }

  /**
   * The length of the log's tail (the commits since the last snapshot) as a share of its limit, by commits or by bytes,
   * whichever is more. From 1 on, the tail is to be folded into a snapshot.
   */
  get tailLoad(): number {
    return Math.max((this.#sequence - this.#head.snapshot) / TAIL_MAX_COMMITS, this.#tailBytes / TAIL_MAX_BYTES);
  }

  /** The keys of all packs, whether or not the tree has been accessed yet. */
  get packs(): ReadonlySet<number> {
    const packs = new Set(Array.from(this.#blobs.places.values(), ({ pack }) => pack));
    for (const table of [this.#snapshot?.packs, ...this.#pending.map(({ record }) => record.packs)])
      for (const pack of table?.packs ?? []) packs.add(pack);
    return packs;
  }

  /** Loads packs for later reads, as many as fit in the cache. */
  prefetch(): Promise<void> {
    return this.#blobs.prefetch(this.packs);
  }

  /**
   * The tree, to be sent to a page. If nobody has accessed it since it was read, and its tail is short and refers to no other
   * commits, it is returned in its stored form; otherwise it is encoded again.
   */
  encodedTree(): EncodedTree {
    const stored = this.#isUntouched ? encodeStored(this.#sequence, this.#snapshot, this.#pending) : undefined;
    return stored ?? encodeTree(this.tree, this.#sequence);
  }

  /** Calls back for each commit whose origin the listener wants, until the returned function is called. */
  subscribe(listener: Listener, wants: (origin?: object) => boolean): () => void {
    this.#listeners.set(listener, wants);
    return () => this.#listeners.delete(listener);
  }

  /** Cancels the timers for applying commits and for completing the log. */
  close(): void {
    clearTimeout(this.#applyTimer);
    this.#unnamed.close();
  }

  /** Loads everything again from the database, and reports the differences to all listeners. */
  async load(): Promise<void> {
    const { snapshot, head, tail, returned } = await readStored(this.#connection.db);
    const before = this.tree;
    this.#blobs = new BlobStore(this.#connection.db);
    this.#tailBytes = 0;
    this.#head = head ?? EMPTY_HEAD;
    this.#nodes = new NodeTree();
    this.#unnamed.clear();
    this.#snapshot = snapshot;
    this.#isUntouched = true;
    this.#sequence = snapshot?.sequence ?? 0;
    for (const [index, commit] of tail.entries()) this.#add({ ...commit, returned: returned[index] ?? [] });
    if (this.#pending.length > 0) this.#applySoon();
    if (this.#listeners.size === 0) return;
    const report = differences(before, this.tree);
    for (const listener of this.#listeners.keys()) listener({ sequence: this.#sequence, report });
  }

  /** Adds what other tabs have committed. Returns false if there was nothing, or if everything had to be loaded again. */
  async catchUp(): Promise<boolean> {
    const { head, commits, returned } = await readSince(this.#connection.db, this.#sequence);
    if (commits.length === 0) return false;
    // After a new snapshot, contents may have moved, and commits since this tab's last one may be gone.
    if (generationOf(head) !== generationOf(this.#head)) {
      await this.load();
      return false;
    }
    for (const [index, commit] of commits.entries()) this.take({ ...commit, returned: returned[index] ?? [] });
    return true;
  }

  /** Adds a stored commit to the tree: immediately if there are listeners for it, otherwise lazily. */
  take(commit: Pending, origin?: object): void {
    this.#add(commit);
    const listeners = [...this.#listeners].filter(([, wants]) => wants(origin)).map(([listener]) => listener);
    if (listeners.length > 0) this.#applyPending({ listeners, origin });
    else this.#applySoon();
  }

  /** Caches packs and large contents that have just been stored. */
  remember(blobs: readonly [key: number, data: Uint8Array][]): void {
    for (const [key, data] of blobs) this.#blobs.remember(key, data);
  }

  /** Notes that the tail has been folded into a snapshot, and its small contents into packs. */
  takeFold(head: Head, { packs, places }: Packing): void {
    this.#head = head;
    this.#tailBytes = 0;
    for (const [blob, place] of places) this.#blobs.places.set(blob, place);
    this.remember(packs);
    this.#blobs.inline.clear();
  }

  /** A commit's log entry, with all its changes. If it is pending, it is applied first. */
  entryOf(commit: LoggedCommit): LogEntry {
    const { author, time } = commit.record;
    return { sequence: commit.sequence, author, time, changes: this.#changesOf(commit) };
  }

  /** Adds to the log's records the changes of their commits that they do not list yet; see `UnnamedChanges`. */
  async completeLog(): Promise<void> {
    if (this.#pending.length > 0) this.#applyPending();
    await this.#unnamed.writeTo(this.#connection.db);
  }

  #add(commit: Pending): void {
    this.#sequence = commit.sequence;
    for (const [, data] of commit.record.inline ?? []) this.#tailBytes += data.byteLength;
    this.#pending.push(commit);
  }

  #applySoon(): void {
    this.#applyTimer ??= setTimeout(() => this.#applyPending(), APPLY_DELAY_MS);
  }

  /** Applies all pending commits, and reports the last one to the audience. */
  #applyPending(audience?: Audience): void {
    if (this.#pending.length === 0 && this.#snapshot === undefined) return;
    clearTimeout(this.#applyTimer);
    this.#applyTimer = undefined;
    this.#isUntouched = false;
    if (this.#snapshot !== undefined) {
      this.#nodes = decodeSnapshot(this.#snapshot);
      for (const [blob, place] of decodePacks(this.#snapshot.packs)) this.#blobs.places.set(blob, place);
      this.#snapshot = undefined;
    }
    const pending = this.#pending;
    this.#pending = [];
    for (const [index, commit] of pending.entries())
      this.#apply(commit, index === pending.length - 1 ? audience : undefined);
  }

  #apply({ sequence, record, returned }: Pending, audience: Audience | undefined): void {
    const removals = returned.map((removal) => removedIn(this.#changesOf(removal)));
    const isListed = audience !== undefined || removals.length > 0;
    const changes = isListed ? withReturned(changesOf(record), removals) : undefined;
    const report =
      audience === undefined || changes === undefined ? [] : fileChanges(this.#nodes, changes, record.author);
    for (const [blob, data] of record.inline ?? []) this.#blobs.inline.set(blob, data);
    if (record.packs !== undefined)
      for (const [blob, place] of decodePacks(record.packs)) this.#blobs.places.set(blob, place);
    if (changes === undefined) eachState(record, (id, state) => this.#nodes.put(id, state));
    else for (const [id, state] of changes) this.#nodes.put(id, state);
    const removed = this.#nodes.sweep();
    if (record.isShallow === true) this.#unnamed.add({ sequence, record }, removed, removals.flat());
    if (audience === undefined || changes === undefined) return;
    for (const listener of audience.listeners) listener({ sequence, report, changes, origin: audience.origin });
  }

  /** All changes of a commit. If it is pending, it is applied first. */
  #changesOf({ sequence, record }: LoggedCommit): LogEntry['changes'] {
    if (this.#pending[0] !== undefined && this.#pending[0].sequence <= sequence) this.#applyPending();
    return this.#unnamed.changesOf({ sequence, record });
  }
}
