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
import { findFile, listDirectory, readLink, statPath } from './lookup.ts';
import { TreeOverlay, type TreeView } from './node-tree.ts';
import { TreeTransaction } from './transaction.ts';
import type { Commit, FileContent, WorkspaceStorage } from './workspace-storage.ts';

/** The most transactions, and about the most bytes, that are stored together. */
const GROUP_MAX_COMMITS = 256;
const GROUP_MAX_BYTES = 8_000_000;

/** A transaction from its request to its result. */
interface Job {
  author: Author;
  durability: 'relaxed' | 'strict';
  /** Runs only over what is stored. */
  alone: boolean;
  run(tx: TreeTransaction): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  /** What its latest run made. */
  commit?: Commit;
}

/**
 * A file system over a tree in memory and a storage for its commits.
 *
 * Transactions run one after the other, each over what those before it made, stored or not; what is ready is stored in
 * groups, one at a time (group commit). When a group comes too late, because someone else has committed, or cannot be
 * stored, everything that was built on it runs again. Readers see only what is stored.
 */
export class TreeFileSystem implements FileSystem {
  readonly #storage: WorkspaceStorage;
  /** Waiting to run, in order. */
  #waiting: Job[] = [];
  /** Have run; wait to be stored. */
  #ready: Job[] = [];
  /** Are being stored. */
  #storing: Job[] = [];
  /** What those two make, over the stored tree, but for what is still in `#unstaged`. */
  #staged: TreeOverlay | undefined;
  /** Goes into `#staged` when the next transaction runs: often it is stored before, and never has to. */
  #unstaged: Commit[] = [];
  /** Moves when what has run must run again. */
  #generation = 0;
  /** After a group that could not be stored: only single transactions tell which of them it was. */
  #singly = 0;
  #isRunning = false;
  /** Resolves when nothing is being stored any more. */
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
        // The file may have gone, contents and all, while it was read: then that is what is to be said.
        if (this.#storage.sequence === sequence) throw error;
      }
    }
  }
  async readFiles(paths: readonly string[], options: ReadFileOptions = {}): Promise<Uint8Array[]> {
    const { tree } = this.#storage;
    const files = paths.map((path) => findFile(tree, path, options.maxBytes));
    await this.#storage.preload?.(files);
    // What is in memory by now costs no promise.
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

  /** A transaction in terms of nodes. It runs when all before it are stored, so that the log has them. */
  transactionOfNodes<T>(
    author: Author,
    change: (tx: TreeTransaction) => Promise<T>,
    { durability = 'relaxed' }: TransactionOptions = {},
  ): Promise<T> {
    return this.#enqueue(author, change, { durability, alone: true });
  }

  #enqueue<T>(
    author: Author,
    change: (tx: TreeTransaction) => Promise<T>,
    options: Pick<Job, 'durability' | 'alone'>,
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
    // Only while somebody watches does the storage have to tell what a commit means for each path.
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

  /** Runs a transaction once. It then is ready, over, or waiting again. */
  async #run(job: Job): Promise<void> {
    if (job.alone) await this.#stored;
    const generation = this.#generation;
    const sequence = this.#nextSequence();
    let failure: { error: unknown } | undefined;
    try {
      const tx = new TreeTransaction(this.#stagedTree(), sequence, (file, path) => this.#readStaged(file, path));
      await job.run(tx);
      const commit: Commit = Object.assign(tx.close(), { sequence, author: job.author, time: Date.now() });
      if (commit.brief !== undefined || commit.changes.size > 0) {
        if (!this.#isCurrent(generation, sequence)) {
          this.#waiting.unshift(job);
          return;
        }
        job.commit = commit;
        this.#unstaged.push(commit);
        this.#ready.push(job);
        void this.#store();
        return;
      }
    } catch (error) {
      failure = { error };
    }
    // What it found may not be stored yet, or another may just have changed it: only a run over what is stored counts.
    await this.#stored;
    if (failure !== undefined) await this.#storage.refresh().catch(() => undefined);
    if (!this.#isCurrent(generation, sequence)) this.#waiting.unshift(job);
    else if (failure === undefined) job.resolve();
    else job.reject(failure.error);
  }

  /** What the next transaction runs over. */
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

  /** The bytes of a file as the staged tree has it. */
  #readStaged(file: FileContent, path: string): Promise<Uint8Array> {
    for (const { commit } of [...this.#storing, ...this.#ready]) {
      const data = commit?.blobs.get(file.blob);
      if (data !== undefined) return Promise.resolve(data);
    }
    return this.#storage.readBlob(file, path);
  }

  /** The number that the next transaction to run will claim, if nothing comes between. */
  #nextSequence(): Version {
    const staged = this.#ready.at(-1) ?? this.#storing.at(-1);
    return Math.max(this.#storage.sequence, staged?.commit?.sequence ?? 0) + 1;
  }

  #isCurrent(generation: number, sequence: Version): boolean {
    return generation === this.#generation && sequence === this.#nextSequence();
  }

  #store(): Promise<void> {
    this.#stored ??= this.#storeAll();
    return this.#stored;
  }

  async #storeAll(): Promise<void> {
    // Transactions that were asked for together are stored together.
    await Promise.resolve();
    while (this.#ready.length > 0) {
      const group = this.#nextGroup();
      const commits = group.flatMap(({ commit }) => commit ?? []);
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

  /** Takes what is stored next out of `#ready`. */
  #nextGroup(): Job[] {
    let bytes = 0;
    let count = 0;
    for (const { commit } of this.#ready) {
      if (count === (this.#singly > 0 ? 1 : GROUP_MAX_COMMITS) || bytes > GROUP_MAX_BYTES) break;
      for (const data of commit?.blobs.values() ?? []) bytes += data.byteLength;
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
        // What is committed stays committed, whatever a listener makes of it; its error is reported as its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
