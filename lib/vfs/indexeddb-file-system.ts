import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { FileSystemError } from './errors.ts';
import type { Author, FileChange, Version } from './file-system.ts';
import { FileTree, type TreeEntry, TreeFileSystem, type TreeTransaction } from './file-tree.ts';

interface Commit {
  author: Author;
  changes: [path: string, entry: TreeEntry | null][];
}

interface WorkspaceSchema extends DBSchema {
  /** Current metadata by path. */
  entries: { key: string; value: TreeEntry };
  /** Immutable bytes by content id. */
  contents: { key: string; value: Uint8Array };
  /** The latest commits by sequence number, from which other tabs catch up. */
  commits: { key: Version; value: Commit };
}

/** A tab that fell further behind than this reads all entries again. */
const COMMITS_KEPT = 500;

/**
 * A workspace in IndexedDB: metadata in memory, bytes in the database, one database transaction per commit.
 * Commits are numbered; a tab claims the next number with `add`, so two tabs never both commit on the same base.
 */
export class IndexedDbFileSystem extends TreeFileSystem {
  #db: IDBPDatabase<WorkspaceSchema>;
  #channel: BroadcastChannel;

  /** Opens or creates the workspace of that name. Rejects with FileSystemError EIO where IndexedDB is unavailable. */
  static async open(name: string): Promise<IndexedDbFileSystem> {
    try {
      const db = await openDB<WorkspaceSchema>(name, 1, {
        upgrade(database) {
          database.createObjectStore('entries');
          database.createObjectStore('contents');
          database.createObjectStore('commits');
        },
        // Another tab brings a newer version: this one must let go, and its next operation says so.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      const fileSystem = new IndexedDbFileSystem(db, name);
      await fileSystem.#load();
      return fileSystem;
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  private constructor(db: IDBPDatabase<WorkspaceSchema>, name: string) {
    super();
    this.#db = db;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = () => {
      // A failed catch-up is not lost: the next read or transaction tries again and reports it.
      this.refresh().catch(() => undefined);
    };
  }

  close(): void {
    this.#channel.close();
    this.#db.close();
  }

  protected async refresh(): Promise<boolean> {
    try {
      return await this.#catchUp();
    } catch (cause) {
      throw storageError('/', cause);
    }
  }

  protected async commit(tx: TreeTransaction, author: Author): Promise<boolean> {
    const next = this.sequence + 1;
    const unused = this.#contentsUnusedAfter(tx);
    let database: IDBPTransaction<WorkspaceSchema, ('entries' | 'contents' | 'commits')[], 'readwrite'> | undefined;
    const requests: Promise<unknown>[] = [];
    try {
      database = this.#db.transaction(['entries', 'contents', 'commits'], 'readwrite');
      requests.push(
        database.done,
        database.objectStore('commits').add({ author, changes: [...tx.changes] }, next),
        database.objectStore('commits').delete(IDBKeyRange.upperBound(next - COMMITS_KEPT)),
      );
      for (const [id, data] of tx.newContents) requests.push(database.objectStore('contents').put(data, id));
      for (const id of unused) requests.push(database.objectStore('contents').delete(id));
      for (const [path, entry] of tx.changes) {
        const entries = database.objectStore('entries');
        requests.push(entry === null ? entries.delete(path) : entries.put(entry, path));
      }
      await Promise.all(requests);
    } catch (cause) {
      // A request that could not even be made must not leave the others to be committed.
      abort(database);
      await Promise.allSettled(requests);
      const reason = database?.error ?? cause;
      // A ConstraintError means another tab has taken the number; anything else is the storage itself.
      if (isNamed(reason, 'ConstraintError') || (await this.#isTaken(next))) return false;
      throw storageError([...tx.changes.keys()][0] ?? '/', reason);
    }
    this.#channel.postMessage(next);
    return true;
  }

  protected async readContent(contentId: string, path: string): Promise<Uint8Array> {
    let data: Uint8Array | undefined;
    try {
      data = await this.#db.get('contents', contentId);
    } catch (cause) {
      throw storageError(path, cause);
    }
    if (data === undefined) throw new FileSystemError('EIO', path, { detail: 'content is missing from storage' });
    return data;
  }

  async #isTaken(sequence: Version): Promise<boolean> {
    return (await this.#db.getKey('commits', sequence).catch(() => undefined)) !== undefined;
  }

  #contentsUnusedAfter(tx: TreeTransaction): string[] {
    const replaced = new Set<string>();
    for (const path of tx.changes.keys()) {
      const id = this.tree.get(path)?.contentId;
      if (id !== undefined) replaced.add(id);
    }
    if (replaced.size === 0) return [];
    // A content may be shared by copies, so what goes on using one is looked for everywhere.
    for (const entry of tx.changes.values()) if (entry?.contentId !== undefined) replaced.delete(entry.contentId);
    for (const [path, { contentId }] of this.tree.entries())
      if (contentId !== undefined && !tx.changes.has(path)) replaced.delete(contentId);
    return [...replaced];
  }

  async #load(): Promise<void> {
    const database = this.#db.transaction(['entries', 'commits']);
    const [paths, entries, lastCommit] = await Promise.all([
      database.objectStore('entries').getAllKeys(),
      database.objectStore('entries').getAll(),
      database.objectStore('commits').openKeyCursor(null, 'prev'),
    ]);
    const sequence = lastCommit?.key ?? 0;
    // A commit of this tab, or another look, may have been quicker.
    if (sequence < this.sequence) return;
    this.tree = new FileTree();
    const changes = new Map<string, TreeEntry>();
    entries.forEach((entry, index) => {
      changes.set(paths[index] ?? '/', entry);
    });
    this.tree.apply(changes);
    this.sequence = sequence;
  }

  async #catchUp(): Promise<boolean> {
    const range = IDBKeyRange.lowerBound(this.sequence, true);
    const database = this.#db.transaction('commits');
    const [keys, commits] = await Promise.all([database.store.getAllKeys(range), database.store.getAll(range)]);
    const first = keys[0];
    if (first === undefined) return false;
    if (first > this.sequence + 1) {
      const before = this.tree;
      await this.#load();
      this.notify(differences(before, this.tree));
      return true;
    }
    const report: FileChange[] = [];
    commits.forEach((commit, index) => {
      const sequence = keys[index];
      // Another catch-up of this tab may have applied the same commits while this one was reading.
      if (sequence === undefined || sequence <= this.sequence) return;
      report.push(...this.applyCommit(new Map(commit.changes), commit.author, sequence));
    });
    this.notify(report);
    return true;
  }
}

/** What changed between two trees. Who did it is no longer known; the person is asked to look, as for a change of theirs. */
function differences(before: FileTree, after: FileTree): FileChange[] {
  const changes: FileChange[] = [];
  const author: Author = { type: 'person' };
  for (const [path, { version }] of after.entries()) {
    const old = before.get(path);
    if (old === undefined) changes.push({ path, type: 'created', author });
    else if (old.version !== version) changes.push({ path, type: 'changed', author });
  }
  for (const [path] of before.entries())
    if (after.get(path) === undefined) changes.push({ path, type: 'deleted', author });
  return changes;
}

/** Ends a transaction without effect, unless it has ended already. */
function abort(transaction: { abort(): void } | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It has ended.
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}

function storageError(path: string, cause: unknown): FileSystemError {
  if (cause instanceof FileSystemError) return cause;
  if (isNamed(cause, 'QuotaExceededError')) return new FileSystemError('ENOSPC', path, { cause });
  const detail = cause instanceof Error ? `storage failed (${cause.message})` : undefined;
  return new FileSystemError('EIO', path, { ...(detail === undefined ? {} : { detail }), cause });
}
