import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError, storageError } from '../errors.ts';
import { withFence } from '../fences.ts';
import type { Version } from '../file-system.ts';
import { COMPACTION_IDLE_MS } from '../limits.ts';
import type { NodeTree } from '../node-tree.ts';
import type {
  Commit,
  CommitOptions,
  FileContent,
  LogEntry,
  StorageUpdate,
  WorkspaceStorage,
} from '../workspace-storage.ts';
import { appendCommits } from './append-commits.ts';
import { foldTail } from './compaction.ts';
import { Connection } from './connection.ts';
import { type EncodedCommit, encodeCommits } from './encoded-commit.ts';
import type { EncodedTree } from './encoded-tree.ts';
import { forgetCommits } from './forgetting.ts';
import { LoadedWorkspace } from './loaded-workspace.ts';
import { entriesOf, entriesSince } from './log-entries.ts';
import { commitsReturned, type LoggedCommit } from './log-records.ts';
import { CURRENT, EMPTY_HEAD } from './schema.ts';

/**
 * A workspace in IndexedDB, as a log.
 *
 * The tree is in memory, loaded from one snapshot and the commits since then. A commit is a log record with the state
 * of each file and folder that it touched, before and after, and small contents. Large contents are separate, immutable blobs,
 * and so are packs, which hold the small contents of many files. Commits are numbered, and a tab claims the next number with
 * IndexedDB's `add`, which fails if it is taken: two tabs never both commit on top of the same tree. When the tail of the log
 * gets long, it is folded into a new snapshot.
 */
export class IndexedDbStorage implements WorkspaceStorage {
  readonly #connection: Connection;
  readonly #channel: BroadcastChannel;
  readonly #loaded: LoadedWorkspace;
  /** Serializes operations on the log. */
  readonly #queue = new SerialQueue();
  #compactionTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Opens or creates the workspace with that name. Rejects with FileSystemError EIO if IndexedDB is unavailable.
   * `onBlocked` is called if a tab with an older version of the studio keeps the workspace open.
   */
  static async open(name: string, onBlocked: () => void = () => undefined): Promise<IndexedDbStorage> {
    try {
      const storage = new IndexedDbStorage(await Connection.open(name, onBlocked), name);
      await storage.#loaded.load();
      return storage;
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  private constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#loaded = new LoadedWorkspace(connection, () => {
      // If this fails, it is done again before a snapshot includes these commits.
      this.#exclusive(() => this.#loaded.completeLog()).catch(() => undefined);
    });
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = () => {
      // A failed catch-up can be ignored: the next refresh or commit tries again and reports the error.
      this.refresh().catch(() => undefined);
    };
  }

  get tree(): NodeTree {
    return this.#loaded.tree;
  }

  /** The number of the last commit in the tree; 0 if there is none. */
  get sequence(): Version {
    return this.#loaded.sequence;
  }

  /** The number of the last commit whose log entry was deleted; 0 if none was. */
  get floor(): Version {
    return this.#loaded.head.floor;
  }

  /** The keys of all packs, whether or not the tree has been accessed yet. */
  get packs(): ReadonlySet<number> {
    return this.#loaded.packs;
  }

  /** Closes the workspace. From now on, `tree` throws EIO, and everything that reads or writes rejects with it. */
  close(): void {
    clearTimeout(this.#compactionTimer);
    this.#loaded.close();
    this.#channel.close();
    this.#connection.close();
  }

  commit(commits: readonly Commit[], options: CommitOptions): Promise<boolean> {
    return this.#exclusive(async () => {
      if (commits[0]?.sequence !== this.sequence + 1) return false;
      return this.#commit((await encodeCommits(commits, this.tree)).encoded, options);
    });
  }

  /** Like `commit`, for commits that a page has encoded on top of the same tree. */
  commitEncoded(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean> {
    return this.#exclusive(() => this.#commit(commits, options));
  }

  async #commit(commits: readonly EncodedCommit[], { durability, origin }: CommitOptions): Promise<boolean> {
    if (commits[0]?.sequence !== this.sequence + 1) return false;
    const returned = await this.#returnedBy(commits);
    if (returned === undefined) return false;
    try {
      if (!(await appendCommits(this.#connection.db, this.sequence, commits, durability))) {
        await this.#loaded.load();
        return false;
      }
    } catch (cause) {
      // A ConstraintError means that another tab has claimed the number. Any other error is a storage failure.
      await this.#catchUp();
      if (commits[0].sequence <= this.sequence) return false;
      throw cause;
    }
    for (const [index, { sequence, record, blobs }] of commits.entries()) {
      this.#loaded.take({ sequence, record, returned: returned[index] ?? [] }, origin);
      this.#loaded.remember(blobs);
    }
    this.#channel.postMessage(this.sequence);
    this.#planCompaction();
    return true;
  }

  /**
   * For each commit, the commits whose removals it reverts; an empty list if none reverts any. Undefined if one of those is
   * missing because others have committed and deleted it. Rejects with EIO if it is missing for another reason.
   */
  async #returnedBy(commits: readonly EncodedCommit[]): Promise<LoggedCommit[][] | undefined> {
    if (commits.every(({ record }) => record.returned === undefined)) return [];
    const { store } = this.#connection.db.transaction('log');
    const returned = await commitsReturned(store, commits);
    const isKnown = commits.every(({ record }, index) => returned[index]?.length === (record.returned ?? []).length);
    if (isKnown) return returned;
    await this.#catchUp();
    if (commits[0] !== undefined && commits[0].sequence <= this.sequence) return undefined;
    throw new FileSystemError('EIO', '/', { detail: 'a commit is missing from the log' });
  }

  refresh(): Promise<void> {
    return this.#exclusive(() => this.#catchUp());
  }

  async #catchUp(): Promise<void> {
    if (await this.#loaded.catchUp()) this.#planCompaction();
  }

  /**
   * The tree, to be sent to a page. If nobody has accessed it since it was read, and its tail is short and refers to no other
   * commits, it is returned in its stored form; otherwise it is encoded again.
   */
  encodedTree(): EncodedTree {
    return this.#loaded.encodedTree();
  }

  async readBlob(file: FileContent, path: string, isBrief = false): Promise<Uint8Array> {
    this.#connection.check(path);
    return this.peekBlob(file, isBrief) ?? this.#loadBlob(file, path, isBrief);
  }

  /** Returns a content's bytes if they are in memory; otherwise undefined. */
  peekBlob(file: FileContent, isBrief = false): Uint8Array | undefined {
    const known = this.#loaded.contents.inMemory(file);
    return known === undefined || isBrief ? known : owned(known);
  }

  async preload(files: readonly FileContent[]): Promise<void> {
    // A read that fails is repeated later, and reports the error then.
    await this.#loaded.contents.load(files).catch(() => undefined);
  }

  async #loadBlob(file: FileContent, path: string, isBrief: boolean): Promise<Uint8Array> {
    try {
      let data = await this.#loaded.contents.view(file);
      if (data === undefined) {
        // Another tab may have moved the content since this tab read its location.
        await this.#exclusive(() => this.#loaded.load());
        data = await this.#loaded.contents.view(file);
      }
      if (data !== undefined) return isBrief ? data : owned(data);
    } catch (cause) {
      throw storageError(path, cause);
    }
    throw new FileSystemError('EIO', path, { detail: 'content is missing from storage' });
  }

  /** Loads packs for later reads, as many as fit in the cache; meant for idle time. */
  async prefetch(): Promise<void> {
    this.#connection.check('/');
    try {
      await this.#loaded.prefetch();
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  log(after: Version): Promise<readonly LogEntry[]> {
    return this.#exclusive(async () => {
      const entries = await entriesSince(this.#connection.db, this.#loaded, after);
      if (entries !== undefined) return entries;
      // Another tab has just deleted some of them.
      await this.#loaded.load();
      return [];
    });
  }

  commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#exclusive(async () => {
      await this.#catchUp();
      return entriesOf(this.#connection.db, this.#loaded, toolCallId);
    });
  }

  /** Refuses later commits of an executor (`claimant`) for a call, because another one has taken the call over. */
  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#exclusive(async () => {
      const transaction = this.#connection.db.transaction('head', 'readwrite', { durability: 'strict' });
      const head = (await transaction.store.get(CURRENT)) ?? EMPTY_HEAD;
      await transaction.store.put({ ...head, fences: withFence(head.fences ?? [], toolCallId, claimant) }, CURRENT);
      await transaction.done;
    });
  }

  forget(upTo: Version): Promise<void> {
    return this.#exclusive(async () => {
      for (;;) {
        await this.#catchUp();
        const floor = Math.min(upTo, this.sequence);
        if (floor <= this.floor) return;
        await this.#loaded.completeLog();
        const isForgotten = await forgetCommits(this.#connection.db, {
          floor,
          sequence: this.sequence,
          head: this.#loaded.head,
          tree: this.tree,
          places: this.#loaded.contents.places,
          inline: this.#loaded.contents.inline,
        });
        await this.#loaded.load();
        if (!isForgotten) continue;
        this.#channel.postMessage(this.sequence);
        return;
      }
    });
  }

  subscribe(listener: (update: StorageUpdate) => void, wants: (origin?: object) => boolean = () => true): () => void {
    return this.#loaded.subscribe(listener, wants);
  }

  /** Folds a long tail into a snapshot when idle, or immediately if it is very long. */
  #planCompaction(): void {
    const load = this.#loaded.tailLoad;
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
      await this.#loaded.completeLog();
      const fold = await foldTail(this.#connection.db, this.#loaded);
      // Another tab was faster. Its snapshot has packs that this tab doesn't know, and may have emptied others.
      if (fold === undefined) return this.#loaded.load();
      this.#loaded.takeFold(fold.head, fold.packing);
    });
  }

  #exclusive<T>(operation: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#connection.check('/');
      try {
        return await operation();
      } catch (cause) {
        this.#connection.check('/');
        throw storageError('/', cause);
      }
    });
  }
}

/** Copies views, which would keep their whole underlying buffer alive. */
const owned = (data: Uint8Array): Uint8Array => (data.byteLength === data.buffer.byteLength ? data : data.slice());
