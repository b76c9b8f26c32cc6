import { FileSystemError, storageError } from '../errors.ts';
import { isFencedOff, withFence } from '../fences.ts';
import { differences, fileChanges } from '../file-changes.ts';
import type { Version } from '../file-system.ts';
import { COMPACTION_IDLE_MS, TAIL_MAX_BYTES, TAIL_MAX_COMMITS } from '../limits.ts';
import { type BlobId, NodeTree } from '../node-tree.ts';
import { removedIn, withReturned } from '../removals.ts';
import { SerialQueue } from '../serial-queue.ts';
import { decodePacks, decodeSnapshot, encodeSnapshot, type Snapshot } from '../snapshot.ts';
import type {
  Commit,
  CommitOptions,
  FileContent,
  LogEntry,
  StorageUpdate,
  WorkspaceStorage,
} from '../workspace-storage.ts';
import { BlobStore } from './blob-store.ts';
import { type EncodedCommit, encodeCommits } from './encoded-commit.ts';
import { type EncodedTree, encodeStored, encodeTree } from './encoded-tree.ts';
import { forgetCommits } from './forgetting.ts';
import { commitsReturned, foldCommits, type LoggedCommit, readCommits, readRecords } from './log-records.ts';
import { openDatabase } from './open-database.ts';
import { packContents } from './packing.ts';
import { CURRENT, changesOf, eachState, generationOf, type Head, type WorkspaceDatabase } from './schema.ts';
import { toStored } from './stored-bytes.ts';
import { readStored } from './stored-tree.ts';
import { UnnamedChanges } from './unnamed-changes.ts';

const EMPTY_HEAD: Head = { snapshot: 0, floor: 0, packs: 0 };

/** How many log records are read at once: their contents stay in memory until they are decoded. */
const LOG_BATCH_RECORDS = 256;

/**
 * How long after a commit it is applied to the tree if nobody reads the tree before; avoids doing so between commits.
 */
const APPLY_DELAY_MS = 20;

/** How long after a commit its log record is completed if nobody needs that before. */
const COMPLETION_DELAY_MS = 300;

const CLOSED_REASONS = {
  closed: 'the workspace was closed',
  upgraded: 'another tab is running a newer version of the studio; reload this page',
  terminated: 'the browser has closed its storage; reload this page',
};

/** A commit that is stored but not yet applied to the tree in memory. */
interface Pending extends LoggedCommit {
  /** The commits whose removals it reverts. */
  returned: readonly LoggedCommit[];
}

/**
 * A workspace in IndexedDB, as a log.
 *
 * The tree is in memory, loaded from one snapshot and the commits since then. A commit is a log record with the state
 * of each node it touched, before and after, and small contents; packs and large contents are separate, immutable
 * blobs. Commits are numbered, and a tab claims the next number with `add`, so two tabs never both commit on top of the
 * same tree. When the tail of the log gets long, it is folded into a new snapshot.
 */
export class IndexedDbStorage implements WorkspaceStorage {
  readonly #db: WorkspaceDatabase;
  readonly #channel: BroadcastChannel;
  #blobs: BlobStore;
  #nodes = new NodeTree();
  /** The snapshot that `#blobs` and `#nodes` start from; undefined once it has been applied. */
  #snapshot: Snapshot | undefined;
  /** Commits still to be applied to them. */
  #pending: Pending[] = [];
  /** Whether nobody has accessed the tree since it was loaded. */
  #isUntouched = true;
  #applyTimer: ReturnType<typeof setTimeout> | undefined;
  #sequence: Version = 0;
  #head = EMPTY_HEAD;
  #tailBytes = 0;
  #closed: keyof typeof CLOSED_REASONS | undefined;
  #listeners = new Map<(update: StorageUpdate) => void, (origin?: object) => boolean>();
  /** Serializes operations on the log. */
  readonly #queue = new SerialQueue();
  #compactionTimer: ReturnType<typeof setTimeout> | undefined;
  #unnamed = new UnnamedChanges();
  #completionTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Opens or creates the workspace with that name. Rejects with FileSystemError EIO if IndexedDB is unavailable.
   * `onBlocked` is called if a tab with an older version of the studio keeps the workspace open.
   */
  static async open(name: string, onBlocked: () => void = () => undefined): Promise<IndexedDbStorage> {
    let storage: IndexedDbStorage | undefined;
    try {
      const db = await openDatabase(name, {
        onClosed(reason) {
          if (storage !== undefined) storage.#closed ??= reason;
        },
        onBlocked,
      });
      storage = new IndexedDbStorage(db, name);
      await storage.#load();
      return storage;
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  private constructor(db: WorkspaceDatabase, name: string) {
    this.#db = db;
    this.#blobs = new BlobStore(db);
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = () => {
      // A failed catch-up can be ignored: the next refresh or commit tries again and reports the error.
      this.refresh().catch(() => undefined);
    };
  }

  get tree(): NodeTree {
    this.#check('/');
    if (this.#pending.length > 0 || this.#snapshot !== undefined) this.#applyPending();
    return this.#nodes;
  }

  get #contents(): BlobStore {
    if (this.#pending.length > 0 || this.#snapshot !== undefined) this.#applyPending();
    return this.#blobs;
  }

  get sequence(): Version {
    return this.#sequence;
  }

  get floor(): Version {
    return this.#head.floor;
  }

  close(): void {
    this.#closed ??= 'closed';
    clearTimeout(this.#compactionTimer);
    clearTimeout(this.#applyTimer);
    clearTimeout(this.#completionTimer);
    this.#channel.close();
    this.#db.close();
  }

  commit(commits: readonly Commit[], options: CommitOptions): Promise<boolean> {
    return this.#exclusive(async () => {
      if (commits[0]?.sequence !== this.#sequence + 1) return false;
      return this.#commit((await encodeCommits(commits, this.tree)).encoded, options);
    });
  }

  /** Like `commit`, for commits that were encoded elsewhere, on top of the same tree. */
  commitEncoded(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean> {
    return this.#exclusive(() => this.#commit(commits, options));
  }

  async #commit(commits: readonly EncodedCommit[], { durability, origin }: CommitOptions): Promise<boolean> {
    if (commits[0]?.sequence !== this.#sequence + 1) return false;
    const returned = await this.#returnedBy(commits);
    if (returned === undefined) return false;
    try {
      if (!(await this.#store(commits, durability))) {
        await this.#load();
        return false;
      }
    } catch (cause) {
      // A ConstraintError means that another tab has claimed the number. Any other error is a storage failure.
      await this.#catchUp();
      if (commits[0].sequence <= this.#sequence) return false;
      throw cause;
    }
    for (const [index, { sequence, record, blobs }] of commits.entries()) {
      this.#take({ sequence, record, returned: returned[index] ?? [] }, origin);
      for (const [key, data] of blobs) this.#blobs.remember(key, data);
    }
    this.#channel.postMessage(this.#sequence);
    this.#planCompaction();
    return true;
  }

  /** The tree, to be mirrored elsewhere: just as it was read, if it is still untouched and has a short, plain tail. */
  encodedTree(): EncodedTree {
    const stored = this.#isUntouched ? encodeStored(this.#sequence, this.#snapshot, this.#pending) : undefined;
    return stored ?? encodeTree(this.tree, this.#sequence);
  }

  refresh(): Promise<void> {
    return this.#exclusive(() => this.#catchUp());
  }

  async readBlob(file: FileContent, path: string, isBrief = false): Promise<Uint8Array> {
    this.#check(path);
    return this.peekBlob(file, isBrief) ?? this.#loadBlob(file, path, isBrief);
  }

  peekBlob(file: FileContent, isBrief = false): Uint8Array | undefined {
    const known = this.#contents.inMemory(file);
    return known === undefined || isBrief ? known : owned(known);
  }

  async preload(files: readonly FileContent[]): Promise<void> {
    // Whatever fails is read again later, which reports the error.
    await this.#contents.load(files).catch(() => undefined);
  }

  async #loadBlob(file: FileContent, path: string, isBrief: boolean): Promise<Uint8Array> {
    try {
      let data = await this.#contents.view(file);
      if (data === undefined) {
        // Another tab may have moved the content since this tab read its location.
        await this.#exclusive(() => this.#load());
        data = await this.#contents.view(file);
      }
      if (data !== undefined) return isBrief ? data : owned(data);
    } catch (cause) {
      throw storageError(path, cause);
    }
    throw new FileSystemError('EIO', path, { detail: 'content is missing from storage' });
  }

  /** The keys of all packs, whether or not the tree has been accessed yet. */
  get packs(): ReadonlySet<number> {
    const packs = new Set(Array.from(this.#blobs.places.values(), ({ pack }) => pack));
    for (const table of [this.#snapshot?.packs, ...this.#pending.map(({ record }) => record.packs)])
      for (const pack of table?.packs ?? []) packs.add(pack);
    return packs;
  }

  /** Loads packs for later reads, as many as fit in the cache; meant for idle time. */
  async prefetch(): Promise<void> {
    this.#check('/');
    try {
      await this.#blobs.prefetch(this.packs);
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  log(after: Version): Promise<readonly LogEntry[]> {
    return this.#exclusive(async () => {
      const entries: LogEntry[] = [];
      for (let last = Math.max(after, this.#head.floor); last < this.#sequence; ) {
        const { store } = this.#db.transaction('log');
        const commits = await readCommits(store, last, this.#sequence, LOG_BATCH_RECORDS);
        if (commits[0]?.sequence !== last + 1) {
          // Another tab has just deleted these commits.
          await this.#load();
          return [];
        }
        for (const commit of commits) entries.push(this.#entryOf(commit));
        last = commits.at(-1)?.sequence ?? this.#sequence;
      }
      return entries;
    });
  }

  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#exclusive(async () => {
      const transaction = this.#db.transaction('head', 'readwrite', { durability: 'strict' });
      const head = (await transaction.store.get(CURRENT)) ?? EMPTY_HEAD;
      await transaction.store.put({ ...head, fences: withFence(head.fences ?? [], toolCallId, claimant) }, CURRENT);
      await transaction.done;
    });
  }

  commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#exclusive(async () => {
      await this.#catchUp();
      const { store } = this.#db.transaction('log');
      const commits = await readRecords(store.index('toolCallId'), IDBKeyRange.only(toolCallId));
      const known = commits.filter(({ sequence }) => sequence > this.#head.floor && sequence <= this.#sequence);
      return known.map((commit) => this.#entryOf(commit));
    });
  }

  forget(upTo: Version): Promise<void> {
    return this.#exclusive(async () => {
      for (;;) {
        await this.#catchUp();
        const floor = Math.min(upTo, this.#sequence);
        if (floor <= this.#head.floor) return;
        await this.#completeLog();
        const forgotten = await forgetCommits(this.#db, {
          floor,
          sequence: this.#sequence,
          head: this.#head,
          tree: this.tree,
          places: this.#contents.places,
          inline: this.#contents.inline,
        });
        await this.#load();
        if (!forgotten) continue;
        this.#channel.postMessage(this.#sequence);
        return;
      }
    });
  }

  subscribe(listener: (update: StorageUpdate) => void, wants: (origin?: object) => boolean = () => true): () => void {
    this.#listeners.set(listener, wants);
    return () => this.#listeners.delete(listener);
  }

  #exclusive<T>(operation: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#check('/');
      try {
        return await operation();
      } catch (cause) {
        this.#check('/');
        throw storageError('/', cause);
      }
    });
  }

  #check(path: string): void {
    if (this.#closed !== undefined) throw new FileSystemError('EIO', path, { detail: CLOSED_REASONS[this.#closed] });
  }

  /** Returns false if the log is longer than this tab knew; then none of the commits counts. */
  async #store(commits: readonly EncodedCommit[], durability: 'relaxed' | 'strict'): Promise<boolean> {
    const blobs = commits.flatMap((commit) => commit.blobs);
    const claims = commits.map(({ record }) => record.author).filter((author) => 'claimant' in author);
    const stores: ('log' | 'blobs' | 'head')[] = ['log'];
    if (blobs.length > 0) stores.push('blobs');
    if (claims.length > 0) stores.push('head');
    const transaction = this.#db.transaction(stores, 'readwrite', { durability });
    let isFenced = false;
    const log = transaction.objectStore('log');
    // If history was deleted while this tab slept, its next number may be free although others are far beyond it.
    const ahead = log.getKey(IDBKeyRange.lowerBound(this.#sequence, true));
    const requests: Promise<unknown>[] = [transaction.done, ahead];
    try {
      if (claims.length > 0) {
        // The first request of the transaction: if somebody has taken over a call, everything is rolled back.
        const looked = transaction.objectStore('head').get(CURRENT);
        requests.push(
          looked.then((head) => {
            isFenced = claims.some((author) => isFencedOff(head?.fences ?? [], author));
            if (isFenced) abort(transaction);
          }),
        );
      }
      for (const [key, record] of foldCommits(commits)) requests.push(log.add(record, key));
      // `add`, not `put`: contents stored earlier under a number that is free again may still be needed.
      for (const [key, data] of blobs) requests.push(transaction.objectStore('blobs').add(toStored(data), key));
      if (claims.length === 0) transaction.commit();
      await Promise.all(requests);
    } catch (cause) {
      // If a request could not even be made, the others must not be committed.
      abort(transaction);
      await Promise.allSettled(requests);
      if (isFenced) throw new FileSystemError('ECANCELED', '/');
      throw transaction.error ?? cause;
    }
    if ((await ahead) === undefined) return true;
    // Nobody reads records so far back; they only take up space.
    const cleanUp = this.#db.transaction(['log', 'blobs'], 'readwrite');
    await Promise.all([
      ...commits.map(({ sequence }) => cleanUp.objectStore('log').delete(sequence)),
      ...blobs.map(([key]) => cleanUp.objectStore('blobs').delete(key)),
      cleanUp.done,
    ]);
    return false;
  }

  /** Adds a stored commit to the tree: immediately if there are listeners for it, otherwise lazily. */
  #take(pending: Pending, origin?: object): void {
    this.#sequence = pending.sequence;
    for (const [, data] of pending.record.inline ?? []) this.#tailBytes += data.byteLength;
    this.#pending.push(pending);
    const listeners = [...this.#listeners].filter(([, wants]) => wants(origin)).map(([listener]) => listener);
    if (listeners.length > 0) this.#applyPending({ listeners, origin });
    else this.#applyTimer ??= setTimeout(() => this.#applyPending(), APPLY_DELAY_MS);
  }

  /** Applies all pending commits, and reports the last one to the listeners. */
  #applyPending(to?: { listeners: readonly ((update: StorageUpdate) => void)[]; origin: object | undefined }): void {
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
    for (const [index, { sequence, record, returned }] of pending.entries()) {
      const removals = returned.map((removal) => removedIn(this.#changesOf(removal)));
      const isReported = to !== undefined && index === pending.length - 1;
      const changes = isReported || removals.length > 0 ? withReturned(changesOf(record), removals) : undefined;
      const reported = isReported ? changes : undefined;
      const report = reported === undefined ? [] : fileChanges(this.#nodes, reported, record.author);
      for (const [blob, data] of record.inline ?? []) this.#blobs.inline.set(blob, data);
      if (record.packs !== undefined)
        for (const [blob, place] of decodePacks(record.packs)) this.#blobs.places.set(blob, place);
      if (changes === undefined) eachState(record, (id, state) => this.#nodes.put(id, state));
      else for (const [id, state] of changes) this.#nodes.put(id, state);
      const removed = this.#nodes.sweep();
      if (record.isShallow === true) {
        this.#unnamed.add({ sequence, record }, removed, removals.flat());
        this.#planCompletion();
      }
      if (to === undefined || reported === undefined) continue;
      for (const listener of to.listeners) listener({ sequence, report, changes: reported, origin: to.origin });
    }
  }

  #entryOf(commit: LoggedCommit): LogEntry {
    const { author, time } = commit.record;
    return { sequence: commit.sequence, author, time, changes: this.#changesOf(commit) };
  }

  /** All changes of a commit, which is applied first if necessary. */
  #changesOf({ sequence, record }: LoggedCommit): LogEntry['changes'] {
    if (this.#pending[0] !== undefined && this.#pending[0].sequence <= sequence) this.#applyPending();
    return this.#unnamed.changesOf({ sequence, record });
  }

  #planCompletion(): void {
    this.#completionTimer ??= setTimeout(() => {
      // If this fails, it is done again before a snapshot includes these commits.
      this.#exclusive(() => this.#completeLog()).catch(() => undefined);
    }, COMPLETION_DELAY_MS);
  }

  async #completeLog(): Promise<void> {
    if (this.#pending.length > 0) this.#applyPending();
    clearTimeout(this.#completionTimer);
    this.#completionTimer = undefined;
    await this.#unnamed.writeTo(this.#db);
  }

  /** The records that own commits refer to. Undefined if that part of the history has been deleted. */
  async #returnedBy(commits: readonly EncodedCommit[]): Promise<Pending['returned'][] | undefined> {
    if (commits.every(({ record }) => record.returned === undefined)) return [];
    const { store } = this.#db.transaction('log');
    const returned = await commitsReturned(store, commits);
    const isKnown = commits.every(({ record }, index) => returned[index]?.length === (record.returned ?? []).length);
    if (isKnown) return returned;
    await this.#catchUp();
    if (commits[0] !== undefined && commits[0].sequence <= this.#sequence) return undefined;
    throw new FileSystemError('EIO', '/', { detail: 'a commit is missing from the log' });
  }

  async #catchUp(): Promise<void> {
    const transaction = this.#db.transaction(['log', 'head']);
    const log = transaction.objectStore('log');
    const [commits, head] = await Promise.all([
      readRecords(log, IDBKeyRange.lowerBound(this.#sequence, true)),
      transaction.objectStore('head').get(CURRENT),
    ]);
    if (commits.length === 0) return;
    const returned = await commitsReturned(log, commits);
    // After a new snapshot, contents may have moved, and commits since this tab's last one may be gone.
    if (generationOf(head) !== generationOf(this.#head)) return this.#load();
    for (const [index, commit] of commits.entries()) this.#take({ ...commit, returned: returned[index] ?? [] });
    this.#planCompaction();
  }

  /** Reloads everything. */
  async #load(): Promise<void> {
    const { snapshot, head, tail, returned } = await readStored(this.#db);
    const before = this.tree;
    this.#blobs = new BlobStore(this.#db);
    this.#tailBytes = 0;
    this.#head = head ?? EMPTY_HEAD;
    this.#nodes = new NodeTree();
    this.#unnamed.clear();
    this.#snapshot = snapshot;
    this.#isUntouched = true;
    this.#sequence = snapshot?.sequence ?? 0;
    const listeners = this.#listeners;
    this.#listeners = new Map();
    for (const [index, commit] of tail.entries()) this.#take({ ...commit, returned: returned[index] ?? [] });
    this.#listeners = listeners;
    if (listeners.size === 0) return;
    const report = differences(before, this.tree);
    for (const listener of listeners.keys()) listener({ sequence: this.#sequence, report });
  }

  /** Folds a long tail into a snapshot when idle, or immediately if it is very long. */
  #planCompaction(): void {
    const load = Math.max((this.#sequence - this.#head.snapshot) / TAIL_MAX_COMMITS, this.#tailBytes / TAIL_MAX_BYTES);
    if (load < 1) return;
    clearTimeout(this.#compactionTimer);
    const compact = () => {
      this.compact().catch(() => {
        // The tail stays unchanged until the next commit tries again.
      });
    };
    if (load >= 2) compact();
    else this.#compactionTimer = setTimeout(compact, COMPACTION_IDLE_MS);
  }

  /** Writes a snapshot of the tree and packs the small contents of the log's tail. */
  compact(): Promise<void> {
    return this.#exclusive(async () => {
      // Once the snapshot includes these commits, the missing changes could no longer be reconstructed.
      await this.#completeLog();
      const transaction = this.#db.transaction(['snapshot', 'head', 'blobs'], 'readwrite', { durability: 'strict' });
      const stored = (await transaction.objectStore('head').get(CURRENT)) ?? EMPTY_HEAD;
      if (generationOf(stored) !== generationOf(this.#head)) {
        // Another tab was faster. Its snapshot has packs that this tab doesn't know, and may have emptied others.
        await transaction.done;
        return this.#load();
      }
      let { packs } = stored;
      const live = new Map<BlobId, Uint8Array>();
      for (const [, { blob }] of this.tree.nodes()) {
        const data = this.#contents.inline.get(blob);
        if (data !== undefined) live.set(blob, data);
      }
      const packing = packContents(live, () => -++packs);
      const places = new Map([...this.#blobs.places, ...packing.places]);
      const head = { ...stored, snapshot: this.#sequence, packs, generation: generationOf(stored) + 1 };
      await Promise.all([
        transaction.objectStore('snapshot').put(encodeSnapshot(this.tree, this.#sequence, places), CURRENT),
        transaction.objectStore('head').put(head, CURRENT),
        ...packing.packs.map(([key, data]) => transaction.objectStore('blobs').add(toStored(data), key)),
        transaction.done,
      ]);
      this.#head = head;
      this.#tailBytes = 0;
      for (const [blob, place] of packing.places) this.#blobs.places.set(blob, place);
      for (const [key, data] of packing.packs) this.#blobs.remember(key, data);
      this.#blobs.inline.clear();
    });
  }
}

/** Copies views, which would keep their whole underlying buffer alive. */
const owned = (data: Uint8Array): Uint8Array => (data.byteLength === data.buffer.byteLength ? data : data.slice());

/** Aborts a transaction unless it has already ended. */
function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}
