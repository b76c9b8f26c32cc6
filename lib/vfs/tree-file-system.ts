import type {
  Author,
  DirectoryEntry,
  FileChange,
  FileSystem,
  FileSystemTransaction,
  ReadFileOptions,
  Stat,
  TransactionOptions,
  Version,
} from './file-system.ts';
import { findFile, listDirectory, pathsBelow, readLink, resolveLinks, statPath } from './lookup.ts';
import { TreeOverlay, type TreeView } from './node-tree.ts';
import { TreeTransaction } from './transaction.ts';
import type { Commit, FileContent, WorkspaceStorage } from './workspace-storage.ts';

/** The maximum number of transactions that are stored in one group. */
const GROUP_MAX_COMMITS = 256;
/** The number of bytes of contents beyond which no more transactions are added to a group. */
const GROUP_MAX_BYTES = 8_000_000;

/** A transaction from its request to its result. */
interface Job {
  author: Author;
  durability: 'relaxed' | 'strict';
  /** Whether it runs only once all earlier transactions are stored. */
  alone: boolean;
  /** Whether its commit is stored together with another one that undoes it. */
  isUndone?: true;
  run(tx: TreeTransaction): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  /** The commits that its latest run made; absent before that. */
  commits?: readonly Commit[];
}

/**
 * A file system on top of an in-memory tree and a storage for its commits.
 *
 * Transactions run one after the other, each on top of the changes of those before it, stored or not. Finished ones
 * are stored in groups, one group at a time (group commit). If a group cannot be stored, or comes too late because
 * someone else has committed, everything that was built on it runs again. Readers see only stored changes.
 */
export class TreeFileSystem implements FileSystem {
  readonly #storage: WorkspaceStorage;
  /** Jobs waiting to run, in order. */
  #waiting: Job[] = [];
  /** Jobs that have run and are waiting to be stored. */
  #ready: Job[] = [];
  /** Jobs that are being stored. */
  #storing: Job[] = [];
  /** The changes of `#storing` and `#ready` on top of the stored tree, except those still in `#unstaged`. */
  #staged: TreeOverlay | undefined;
  /** Commits to add to `#staged` when the next transaction runs. Often they are stored before that, and need no staging. */
  #unstaged: Commit[] = [];
  /** Incremented when jobs that have run must run again. */
  #generation = 0;
  /** The number of transactions to store one by one after a group failed, to find the one at fault. */
  #singly = 0;
  #isRunning = false;
  /** Resolves when all ready jobs have been stored; undefined if nothing is being stored. */
  #stored: Promise<void> | undefined;
  #listeners = new Set<(changes: readonly FileChange[]) => void>();
  #unsubscribe = () => {};

  constructor(storage: WorkspaceStorage) {
    this.#storage = storage;
  }

  get #glance(): TreeView {
    return this.#storage.glance ?? this.#storage.tree;
  }

  async readFile(path: string, { maxBytes, isBrief }: ReadFileOptions = {}): Promise<Uint8Array> {
    for (;;) {
      const { sequence } = this.#storage;
      try {
        const file = findFile(this.#glance, path, maxBytes);
        return this.#storage.peekBlob?.(file, isBrief) ?? (await this.#storage.readBlob(file, path, isBrief));
      } catch (error) {
        // The tree may have changed during the read, and the file may be gone: then try again with the new tree.
        if (this.#storage.sequence === sequence) throw error;
      }
    }
  }
  async readFiles(paths: readonly string[], options: ReadFileOptions = {}): Promise<Uint8Array[]> {
    const { tree } = this.#storage;
    const files = paths.map((path) => findFile(tree, path, options.maxBytes));
    await this.#storage.preload?.(files);
    // Contents that are now in memory need no promise.
    const contents = files.map((file) => this.#storage.peekBlob?.(file, options.isBrief));
    if (contents.every((data) => data !== undefined)) return contents;
    return Promise.all(paths.map((path, index) => contents[index] ?? this.readFile(path, options)));
  }
  async readdir(path: string): Promise<readonly DirectoryEntry[]> {
    return listDirectory(this.#glance, path);
  }
  async stat(path: string): Promise<Stat> {
    return statPath(this.#glance, path, true);
  }
  async lstat(path: string): Promise<Stat> {
    return statPath(this.#glance, path, false);
  }
  async readlink(path: string): Promise<string> {
    return readLink(this.#glance, path);
  }
  realPath(path: string, options?: { followLast?: boolean }): string {
    return resolveLinks(this.#glance, path, options);
  }
  pathsBelow(path: string): Iterable<string> {
    return pathsBelow(this.#glance, path);
  }

  refresh(): Promise<void> {
    return this.#storage.refresh();
  }

  transaction<T>(
    author: Author,
    change: (tx: FileSystemTransaction) => Promise<T>,
    { durability = 'relaxed' }: TransactionOptions = {},
  ): Promise<T> {
    return this.#enqueue(author, change, { durability, alone: false });
  }

  /**
   * Runs a transaction in terms of nodes, once all earlier ones are stored, so that the log includes them. Otherwise like
   * `transaction`.
   */
  transactionOfNodes<T>(
    author: Author,
    change: (tx: TreeTransaction) => Promise<T>,
    { durability = 'relaxed' }: TransactionOptions = {},
  ): Promise<T> {
    return this.#enqueue(author, change, { durability, alone: true });
  }

  /** Stores a commit with a file's content, and one that undoes it, together, so that watchers find the file unchanged. */
  note(author: Author, path: string, data: Uint8Array): Promise<void> {
    const change = async (tx: TreeTransaction) => tx.writeFile(path, data);
    return this.#enqueue(author, change, { durability: 'relaxed', alone: false, isUndone: true });
  }

  #enqueue<T>(
    author: Author,
    change: (tx: TreeTransaction) => Promise<T>,
    options: Pick<Job, 'durability' | 'alone' | 'isUndone'>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    this.#waiting.push({
      ...options,
      author,
      async run(tx) {
        result = await change(tx);
      },
      resolve: () => resolve(result),
      reject,
    });
    void this.#runAll();
    return promise;
  }

  watch(listener: (changes: readonly FileChange[]) => void): () => void {
    // The storage only has to compute path changes while there are watchers.
    if (this.#listeners.size === 0) this.#unsubscribe = this.#storage.subscribe(({ report }) => this.#notify(report));
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#unsubscribe();
    };
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) await this.#run(job);
    this.#isRunning = false;
  }

  /** Runs a transaction once. Afterwards, it is ready to be stored, finished, or waiting to run again. */
  async #run(job: Job): Promise<void> {
    if (job.alone) await this.#stored;
    const generation = this.#generation;
    const sequence = this.#nextSequence();
    let failure: { error: unknown } | undefined;
    try {
      const tree = this.#stagedTree();
      const tx = new TreeTransaction(tree, sequence, (file, path) => this.#readStaged(file, path));
      await job.run(tx);
      const commit: Commit = Object.assign(tx.close(), { sequence, author: job.author, time: Date.now() });
      if (commit.brief !== undefined || commit.changes.size > 0) {
        if (!this.#isCurrent(generation, sequence)) {
          this.#waiting.unshift(job);
          return;
        }
        job.commits = job.isUndone ? [commit, undoOf(commit, tree)] : [commit];
        this.#unstaged.push(...job.commits);
        this.#ready.push(job);
        void this.#store();
        return;
      }
    } catch (error) {
      failure = { error };
    }
    // It may have seen changes that are not stored yet, or outdated ones: only a run on top of the stored tree counts.
    await this.#stored;
    // If the storage cannot be read, the transaction reports its own error.
    if (failure !== undefined) await this.#storage.refresh().catch(() => undefined);
    if (!this.#isCurrent(generation, sequence)) this.#waiting.unshift(job);
    else if (failure === undefined) job.resolve();
    else job.reject(failure.error);
  }

  /** The tree that the next transaction runs on. */
  #stagedTree(): TreeView {
    if (this.#storing.length + this.#ready.length === 0) {
      this.#unstage();
      return this.#storage.tree;
    }
    this.#staged ??= new TreeOverlay(this.#storage.tree);
    for (const { changes } of this.#unstaged.splice(0)) this.#staged.apply(changes);
    return this.#staged;
  }

  #unstage(): void {
    this.#staged = undefined;
    this.#unstaged = [];
  }

  /** The bytes of a file in the staged tree. */
  #readStaged(file: FileContent, path: string): Promise<Uint8Array> {
    for (const { blobs } of commitsOf([...this.#storing, ...this.#ready])) {
      const data = blobs.get(file.blob);
      if (data !== undefined) return Promise.resolve(data);
    }
    return this.#storage.readBlob(file, path);
  }

  /** The number that the next transaction will claim if no other commit comes in between. */
  #nextSequence(): Version {
    const staged = this.#ready.at(-1) ?? this.#storing.at(-1);
    return Math.max(this.#storage.sequence, staged?.commits?.at(-1)?.sequence ?? 0) + 1;
  }

  #isCurrent(generation: number, sequence: Version): boolean {
    return generation === this.#generation && sequence === this.#nextSequence();
  }

  #store(): Promise<void> {
    this.#stored ??= this.#storeAll();
    return this.#stored;
  }

  async #storeAll(): Promise<void> {
    // Store transactions that were requested together as one group.
    await Promise.resolve();
    while (this.#ready.length > 0) {
      const group = this.#nextGroup();
      const commits = commitsOf(group);
      const strict = group.some(({ durability }) => durability === 'strict');
      let outcome: boolean | { error: unknown };
      try {
        const isNext = commits[0]?.sequence === this.#storage.sequence + 1;
        outcome = isNext && (await this.#storage.commit(commits, { durability: strict ? 'strict' : 'relaxed' }));
      } catch (error) {
        outcome = { error };
      }
      this.#settle(group, outcome);
    }
    this.#stored = undefined;
  }

  /** Moves the next group from `#ready` to `#storing`. */
  #nextGroup(): Job[] {
    let bytes = 0;
    let count = 0;
    for (const job of this.#ready) {
      if (count === (this.#singly > 0 ? 1 : GROUP_MAX_COMMITS) || bytes > GROUP_MAX_BYTES) break;
      for (const { blobs } of commitsOf([job])) for (const data of blobs.values()) bytes += data.byteLength;
      count++;
    }
    this.#storing = this.#ready.splice(0, count);
    return this.#storing;
  }

  #settle(group: readonly Job[], outcome: boolean | { error: unknown }): void {
    this.#storing = [];
    this.#singly = Math.max(0, this.#singly - group.length);
    if (outcome === true) {
      for (const job of group) job.resolve();
      return;
    }
    this.#generation++;
    const again = [...group, ...this.#ready];
    if (outcome !== false && group.length === 1) again.shift()?.reject(outcome.error);
    else if (outcome !== false) this.#singly = group.length;
    this.#ready = [];
    this.#unstage();
    this.#waiting.unshift(...again);
    void this.#runAll();
  }

  #notify(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(changes);
      } catch (error) {
        // A failing listener must not affect the commit or other listeners; its error is reported separately.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

const commitsOf = (jobs: readonly Job[]): Commit[] => jobs.flatMap(({ commits = [] }) => commits);

/** The commit that undoes a commit that is not yet stored: it gives all nodes their states in `tree` back. */
function undoOf({ sequence: undone, author, time, changes }: Commit, tree: TreeView): Commit {
  const after = new TreeOverlay(tree);
  after.apply(changes);
  const sequence = undone + 1;
  const tx = new TreeTransaction(after, sequence, () => Promise.reject(new Error('Nothing is read to undo a commit.')));
  for (const id of changes.keys()) tx.putNode(id, tree.node(id) ?? null);
  return Object.assign(tx.close(), { sequence, author, time });
}
