import { proxy, transfer } from 'comlink';
import { pause } from '#lib/base/pause.ts';
import { ContentCache } from '#lib/vfs/content-cache.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { differences, fileChanges } from '#lib/vfs/file-changes.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { type EncodedCommit, encodeCommits } from '#lib/vfs/indexeddb/encoded-commit.ts';
import { decodeTree, type EncodedTree, viewTree } from '#lib/vfs/indexeddb/encoded-tree.ts';
import type { StoredTree } from '#lib/vfs/indexeddb/stored-tree.ts';
import {
  INLINE_MAX_BYTES,
  PAGE_CACHE_MAX_BYTES,
  PAGE_LISTED_ENTRIES,
  PAGE_LISTED_MAX_NODES,
  PAGE_PREFETCH_FILES,
  PAGE_PREFETCH_MAX_BYTES,
} from '#lib/vfs/limits.ts';
import { NO_BLOB, NodeTree, type RemovedNode, type TreeView } from '#lib/vfs/node-tree.ts';
import type {
  Commit,
  CommitOptions,
  FileContent,
  LogEntry,
  StorageUpdate,
  WorkspaceStorage,
} from '#lib/vfs/workspace-storage.ts';
import { splitReadBlobs } from './blob-transfer.ts';
import { RecentCommits } from './recent-commits.ts';
import { keepFailures } from './rpc.ts';
import type { MirrorUpdate, WorkspaceHostApi } from './workspace-host.ts';

/** A read waiting to be sent in one message with other reads of the same task. */
interface Read {
  content: FileContent;
  path: string;
  resolve(data: Uint8Array): void;
  reject(error: unknown): void;
}

/** The path and the callbacks of a read that nobody waits for: a prefetch. */
const NOBODY = { path: '/', resolve: () => undefined, reject: () => undefined };

/**
 * The storage of a workspace that a worker keeps, as a page or another worker uses it. The tree (all files and folders with
 * their attributes, but without contents) is mirrored here, so that reading it needs no message; the worker has the contents
 * and does all the storing. `WorkspaceStorage` describes the members that are not described here.
 */
export class RemoteStorage implements WorkspaceStorage {
  readonly #start: () => Promise<WorkspaceHostApi>;
  /** The worker, once it has been needed; resolves when its tree is mirrored. */
  #connected: Promise<WorkspaceHostApi> | undefined;
  /** The encoded tree, until the mirror is built from it because a quick view is not enough; undefined afterwards. */
  #read: EncodedTree | undefined;
  #view: TreeView | undefined;
  #mirror = new NodeTree();
  /**
   * Own commits that are stored and not yet applied to the mirror. That happens when the mirror is next read, or right after
   * the code that waits for the commits has continued.
   */
  #untaken: { commit: Commit; entry: LogEntry | undefined }[] = [];
  #sequence: Version = 0;
  #floor: Version = 0;
  #listeners = new Set<(update: StorageUpdate) => void>();
  /** Updates that arrived before their predecessors: an own commit is only known once its response has arrived. */
  #early = new Map<Version, MirrorUpdate>();
  readonly #recent = new RecentCommits();
  readonly #cache = new ContentCache(PAGE_CACHE_MAX_BYTES);
  #waiting: { sequence: Version; resolve(): void }[] = [];
  #reads: Read[] = [];
  /** The error with which everything fails since the worker is gone; undefined before. */
  #failure: FileSystemError | undefined;
  readonly #failed = Promise.withResolvers<never>();

  /** Connects to a worker's storage; resolves when its tree is mirrored. Rejects with `FileSystemError` EIO. */
  static async open(host: WorkspaceHostApi): Promise<RemoteStorage> {
    const storage = new RemoteStorage(() => Promise.resolve(host));
    await storage.#host;
    return storage;
  }

  /** Uses a tree that has already been read from the storage; starts the worker only when something else is needed. */
  static follow(start: () => Promise<WorkspaceHostApi>, { tree, floor }: StoredTree): RemoteStorage {
    const storage = new RemoteStorage(start);
    storage.#begin(tree, floor);
    return storage;
  }

  private constructor(start: () => Promise<WorkspaceHostApi>) {
    keepFailures();
    this.#start = start;
    // Those who wait for it get the error; there may be none.
    this.#failed.promise.catch(() => undefined);
  }

  get #host(): Promise<WorkspaceHostApi> {
    if (this.#failure !== undefined) return this.#failed.promise;
    if (this.#connected === undefined) {
      this.#connected = this.#start().then((host) => this.#connect(host));
      this.#connected.catch((error: unknown) =>
        this.fail(error instanceof FileSystemError ? (error.detail ?? error.message) : String(error)),
      );
    }
    return this.#connected;
  }

  async #connect(host: WorkspaceHostApi): Promise<WorkspaceHostApi> {
    const updates: MirrorUpdate[] = [];
    let receive = (update: MirrorUpdate): void => void updates.push(update);
    const onUpdate = proxy((update: MirrorUpdate) => receive(update));
    const { tree, floor } = await host.mirror(onUpdate, this.#sequence);
    this.#floor = floor;
    if (tree !== undefined) {
      const before = this.#tree;
      this.#begin(tree, floor);
      const report = this.#listeners.size === 0 ? [] : differences(before, this.#tree);
      this.#advance(tree.sequence, { sequence: tree.sequence, report });
    }
    receive = (update) => this.#receive(update);
    updates.forEach(receive);
    return host;
  }

  #begin(tree: EncodedTree, floor: Version): void {
    this.#untaken = [];
    this.#read = tree;
    this.#view = undefined;
    this.#sequence = tree.sequence;
    this.#floor = floor;
  }

  get glance(): TreeView {
    if (this.#read === undefined || this.#failure !== undefined) return this.tree;
    this.#view ??= viewTree(this.#read);
    return this.#view;
  }

  get tree(): NodeTree {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#tree;
  }

  get #tree(): NodeTree {
    if (this.#read !== undefined) {
      this.#mirror = decodeTree(this.#read);
      this.#read = undefined;
      this.#view = undefined;
    }
    this.#takeOwn();
    return this.#mirror;
  }

  #takeOwn(): void {
    for (const { commit, entry } of this.#untaken.splice(0)) {
      const removed = this.#mirror.apply(commit.changes);
      if (entry !== undefined) this.#recent.add(wholeEntry(entry, commit, removed));
    }
  }

  get sequence(): Version {
    return this.#sequence;
  }

  get floor(): Version {
    return this.#floor;
  }

  /**
   * Makes all operations, including pending ones, reject with EIO and the reason `detail`. To be called when the worker is
   * gone.
   */
  fail(detail: string): void {
    this.#failure ??= new FileSystemError('EIO', '/', { detail });
    this.#failed.reject(this.#failure);
  }

  async commit(commits: readonly Commit[], { durability, origin }: CommitOptions): Promise<boolean> {
    const { entries, encoded } = await encodeCommits(commits, this.#tree);
    const { isStored, sequence } = await this.#call((host) => host.commit(handOver(encoded), { durability }));
    if (!isStored) {
      await this.#reach(sequence);
      return false;
    }
    for (const [index, commit] of commits.entries()) this.#take(commit, entries[index], origin);
    return true;
  }

  async refresh(): Promise<void> {
    await this.#reach(await this.#call((host) => host.refresh()));
  }

  peekBlob({ blob }: FileContent): Uint8Array | undefined {
    return this.#failure === undefined ? this.#cache.get(blob) : undefined;
  }

  readBlob(content: FileContent, path: string): Promise<Uint8Array> {
    const known = this.peekBlob(content);
    if (known !== undefined) return Promise.resolve(known);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    // All reads of the same task go in one message.
    if (this.#reads.length === 0) queueMicrotask(() => void this.#readAll(this.#reads.splice(0)));
    this.#reads.push({ content, path, resolve, reject });
    return promise;
  }

  /**
   * Starts the worker, so that changes by other tabs arrive, lists the folders of the workspace, and loads small contents
   * into the cache if they are few. Failures are ignored; later reads try again.
   */
  async prefetch(): Promise<void> {
    await this.#host.catch(() => undefined);
    if (this.#failure !== undefined) return;
    await this.#listAhead();
    const missing = [...this.#tree.nodes()]
      .map(([, content]) => content)
      .filter(({ blob, size }) => blob !== NO_BLOB && size <= INLINE_MAX_BYTES && !this.#cache.has(blob));
    if (missing.reduce((bytes, { size }) => bytes + size, 0) > PAGE_PREFETCH_MAX_BYTES) return;
    while (missing.length > 0 && this.#failure === undefined) {
      await pause();
      const reads = missing.splice(0, PAGE_PREFETCH_FILES).map((content) => ({ ...NOBODY, content }));
      await this.#readAll(reads);
    }
  }

  async #listAhead(): Promise<void> {
    if (this.#tree.size > PAGE_LISTED_MAX_NODES) return;
    let listed = 0;
    for (const directory of [...this.#tree.directories()]) {
      if (listed > PAGE_LISTED_ENTRIES) {
        await pause();
        listed = 0;
      }
      listed += this.#tree.entries(directory).length;
    }
  }

  async log(after: Version): Promise<readonly LogEntry[]> {
    this.#takeOwn();
    const recent = this.#recent.after(after, this.#sequence);
    if (recent !== undefined) return recent;
    const log = await this.#call((host) => host.log(after));
    await this.#reach(log.at(-1)?.sequence ?? 0);
    return log;
  }

  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#call((host) => host.fence(toolCallId, claimant));
  }

  commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#call((host) => host.commitsOf(toolCallId));
  }

  async forget(upTo: Version): Promise<void> {
    const { sequence, floor } = await this.#call((host) => host.forget(upTo));
    await this.#reach(sequence);
    this.#floor = Math.max(this.#floor, floor);
  }

  subscribe(listener: (update: StorageUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the worker. Rejects with EIO if it has failed, or fails in the meantime. */
  #call<T>(work: (host: WorkspaceHostApi) => Promise<T>): Promise<T> {
    return Promise.race([this.#host.then(work), this.#failed.promise]);
  }

  async #readAll(reads: readonly Read[]): Promise<void> {
    const wanted = {
      blobs: Float64Array.from(reads, ({ content }) => content.blob),
      sizes: Float64Array.from(reads, ({ content }) => content.size),
    };
    try {
      const contents = splitReadBlobs(wanted, await this.#call((host) => host.readBlobs(wanted)));
      for (const [index, data] of contents.entries()) {
        const read = reads[index];
        if (data.byteLength <= INLINE_MAX_BYTES) this.#cache.set(read?.content.blob ?? NO_BLOB, data);
        read?.resolve(data);
      }
    } catch (error) {
      if (reads.length === 1 || this.#failure !== undefined)
        for (const { path, reject } of reads) reject(aboutPath(error, path));
      // One failing read must not fail the others.
      else await Promise.all(reads.map((read) => this.#readAll([read])));
    }
  }

  /** Resolves when the mirror is up to date with a sequence number. */
  #reach(sequence: Version): Promise<void> {
    if (this.#sequence >= sequence) return Promise.resolve();
    return this.#call(() => new Promise((resolve) => this.#waiting.push({ sequence, resolve })));
  }

  #receive(update: MirrorUpdate): void {
    const { sequence, floor, tree, report, changes } = update;
    if (tree !== undefined) {
      if (sequence < this.#sequence) return;
      this.#begin(tree, floor);
      this.#advance(sequence, { sequence, report });
    } else if (changes !== undefined && sequence === this.#sequence + 1) {
      this.#tree.apply(changes);
      this.#floor = floor;
      this.#advance(sequence, { sequence, report, changes });
    } else if (sequence > this.#sequence) {
      this.#early.set(sequence, update);
    }
  }

  /** Notes a commit of this side that the worker has stored: tells listeners now, and changes the mirror later. */
  #take(commit: Commit, entry: LogEntry | undefined, origin: object | undefined): void {
    const { sequence, author } = commit;
    if (sequence !== this.#sequence + 1) return;
    const update: StorageUpdate = { sequence, report: [], origin };
    if (this.#listeners.size > 0) {
      update.changes = commit.changes;
      update.report = fileChanges(this.#tree, commit.changes, author);
    }
    this.#untaken.push({ commit, entry });
    setTimeout(() => this.#takeOwn(), 0);
    this.#advance(sequence, update);
  }

  #advance(sequence: Version, update: StorageUpdate): void {
    this.#sequence = sequence;
    for (const listener of this.#listeners) listener(update);
    for (const early of this.#early.keys()) if (early <= sequence) this.#early.delete(early);
    const next = this.#early.get(sequence + 1);
    if (next !== undefined) this.#receive(next);
    this.#waiting = this.#waiting.filter(({ sequence: goal, resolve }) => {
      if (this.#sequence < goal) return true;
      resolve();
      return false;
    });
  }
}

/** Completes the log entry of a commit with the nodes that it restored or removed without naming them. */
function wholeEntry(entry: LogEntry, { brief, changes }: Commit, removed: readonly RemovedNode[]): LogEntry {
  if (brief === undefined && removed.length === 0) return entry;
  const whole: LogEntry['changes'][number][] = [...entry.changes, ...removed];
  if (brief !== undefined)
    for (const [id, after] of changes) if (!brief.named.has(id)) whole.push({ id, before: null, after });
  return { ...entry, changes: whole };
}

/** Adds the path to an error, since the worker only knows contents. */
function aboutPath(error: unknown, path: string): unknown {
  if (!(error instanceof FileSystemError)) return error;
  return new FileSystemError(error.code, path, { detail: error.detail, cause: error });
}

/**
 * Marks the packs in commits for transfer: they were made for this message. Large contents are copied, because they may still
 * be read here until they are stored.
 */
function handOver(commits: EncodedCommit[]): EncodedCommit[] {
  const packs = commits.flatMap(({ record, blobs }) => {
    const keys = new Set(record.packs?.packs);
    return blobs.flatMap(([key, { buffer }]) => (keys.has(key) ? [buffer] : []));
  });
  return transfer(commits, packs);
}
