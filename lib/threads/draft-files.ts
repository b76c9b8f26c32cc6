import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { TAB_NAME_KEY } from './draft-files-key.ts';

const DATABASE = 'roundtrip-studio:draft-files';

/**
 * The age from which a file that another tab has stored for its drafts is deleted, in milliseconds. It counts from when the
 * file was stored. Younger files stay, because a browser may open a closed tab again.
 */
export const DRAFT_FILE_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;

interface StoredFile {
  tab: string;
  threadId: string;
  file: File;
  storedAt: number;
  /** An id that a file shares with its copies in duplicated tabs; absent if an earlier version stored the file. */
  origin?: string;
}

interface DraftFilesSchema extends DBSchema {
  files: { key: number; value: StoredFile; indexes: { tab: string; storedAt: number } };
}

/**
 * The files that are attached to this tab's drafts, which are messages that are not sent yet. They outlive the page, as the
 * drafts' texts do.
 */
export class DraftFiles {
  readonly #db: IDBPDatabase<DraftFilesSchema>;
  readonly #tab: string;
  readonly #release: () => void;
  /** The database keys of this tab's files, by thread id and file. A key is undefined if the file could not be stored. */
  readonly #keys = new Map<string, Map<File, Promise<number | undefined>>>();
  /** Whether `#keys` has all files that this tab had stored before. */
  #hasRead = false;

  private constructor(db: IDBPDatabase<DraftFilesSchema>, tab: string, release: () => void) {
    this.#db = db;
    this.#tab = tab;
    this.#release = release;
  }

  /**
   * Opens this tab's stored files; a duplicated tab gets copies. Deletes other tabs' files that are older than
   * `DRAFT_FILE_MAX_AGE_MS`. `onClosed` is called if the database is closed, for instance because another tab deletes it.
   * Rejects with IndexedDB's errors, for instance where a browser stores nothing.
   */
  static async open({ now = Date.now(), onClosed }: { now?: number; onClosed?: () => void } = {}): Promise<DraftFiles> {
    const db = await openDB<DraftFilesSchema>(DATABASE, 1, {
      upgrade(database) {
        const files = database.createObjectStore('files', { autoIncrement: true });
        files.createIndex('tab', 'tab');
        files.createIndex('storedAt', 'storedAt');
      },
      blocking(_current, _blocked, event) {
        (event.target as IDBDatabase).close();
        onClosed?.();
      },
      terminated: () => onClosed?.(),
    });
    const before = sessionStorage.getItem(TAB_NAME_KEY);
    let release = before === null ? undefined : await hold(before);
    const tab = before !== null && release !== undefined ? before : crypto.randomUUID();
    release ??= await hold(tab);
    const { store, done } = db.transaction('files', 'readwrite');
    // A tab that was duplicated has the name of the other one, and so has one whose page before has not ended yet.
    if (before !== null && before !== tab)
      for (let cursor = await store.index('tab').openCursor(before); cursor; cursor = await cursor.continue()) {
        const { origin = crypto.randomUUID(), ...stored } = cursor.value;
        if (cursor.value.origin === undefined) await cursor.update({ ...stored, origin });
        await store.add({ ...stored, origin, tab });
      }
    const old = IDBKeyRange.upperBound(now - DRAFT_FILE_MAX_AGE_MS);
    for (let cursor = await store.index('storedAt').openCursor(old); cursor; cursor = await cursor.continue())
      if (cursor.value.tab !== tab) await cursor.delete();
    await done;
    sessionStorage.setItem(TAB_NAME_KEY, tab);
    return new DraftFiles(db, tab, release ?? (() => undefined));
  }

  /**
   * Makes the files of closed tabs this tab's own; deletes those of which it has a copy already. Does nothing where the browser
   * has no locks.
   */
  async adopt(): Promise<void> {
    if (navigator.locks === undefined) return;
    const { held = [] } = await navigator.locks.query();
    const open = new Set(held.map(({ name }) => name));
    const { store, done } = this.#db.transaction('files', 'readwrite');
    const nameOf = ({ threadId, origin }: StoredFile) => origin && `${threadId} ${origin}`;
    const own = new Set((await store.index('tab').getAll(this.#tab)).map(nameOf));
    for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
      if (open.has(lockName(cursor.value.tab))) continue;
      const name = nameOf(cursor.value);
      // This tab has a copy.
      if (name !== undefined && own.has(name)) await cursor.delete();
      else await cursor.update({ ...cursor.value, tab: this.#tab });
      own.add(name);
    }
    await done;
  }

  /** This tab's stored files, by thread id, in the order in which they were stored. */
  async all(): Promise<ReadonlyMap<string, readonly File[]>> {
    this.#hasRead = true;
    this.#keys.clear();
    const index = this.#db.transaction('files').store.index('tab');
    for (let cursor = await index.openCursor(this.#tab); cursor; cursor = await cursor.continue()) {
      const { threadId, file } = cursor.value;
      this.#keysOf(threadId).set(file, Promise.resolve(cursor.primaryKey));
    }
    return new Map([...this.#keys].map(([threadId, keys]) => [threadId, [...keys.keys()]]));
  }

  /** Stores these files of a thread's draft and deletes its other ones. A file that cannot be stored is left out. */
  async set(threadId: string, files: readonly File[]): Promise<void> {
    const keys = this.#keysOf(threadId);
    if (!this.#hasRead) await this.#recognize(threadId, files);
    const removed = [...keys].filter(([file]) => !files.includes(file));
    for (const [file] of removed) keys.delete(file);
    for (const file of files)
      if (!keys.has(file)) {
        const stored: StoredFile = {
          tab: this.#tab,
          threadId,
          file,
          storedAt: Date.now(),
          origin: crypto.randomUUID(),
        };
        keys.set(
          file,
          this.#db.add('files', stored).catch(() => undefined),
        );
      }
    for (const [, adding] of removed) {
      const key = await adding;
      if (key !== undefined) await this.#db.delete('files', key);
    }
    await Promise.all(keys.values());
  }

  /** Finds files that are stored already, because the database was closed in between, so that they are not stored twice. */
  async #recognize(threadId: string, files: readonly File[]): Promise<void> {
    const keys = this.#keysOf(threadId);
    const known = new Set(await Promise.all(keys.values()));
    const index = this.#db.transaction('files').store.index('tab');
    for (let cursor = await index.openCursor(this.#tab); cursor; cursor = await cursor.continue()) {
      const { file: stored, threadId: place } = cursor.value;
      if (place !== threadId || known.has(cursor.primaryKey)) continue;
      const same = files.find((file) => !keys.has(file) && isSameFile(file, stored));
      if (same !== undefined) keys.set(same, Promise.resolve(cursor.primaryKey));
    }
  }

  /** Closes the database, and gives up this tab's name, so that another tab may `adopt` its files. */
  close(): void {
    this.#db.close();
    this.#release();
  }

  #keysOf(threadId: string): Map<File, Promise<number | undefined>> {
    const keys = this.#keys.get(threadId) ?? new Map();
    this.#keys.set(threadId, keys);
    return keys;
  }
}

const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name &&
  one.size === other.size &&
  one.lastModified === other.lastModified &&
  one.type === other.type;

const lockName = (tab: string): string => `${TAB_NAME_KEY}:${tab}`;

/**
 * Locks a tab's name. Resolves with a function that releases the lock; with undefined if an open page has the name. Where the
 * browser has no locks, the function does nothing.
 */
function hold(tab: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    // Only pages over https, or on this machine, have locks.
    if (navigator.locks === undefined) return resolve(() => undefined);
    navigator.locks
      .request(lockName(tab), { ifAvailable: true }, (lock) =>
        lock === null ? resolve(undefined) : new Promise<void>((release) => resolve(release)),
      )
      .catch(() => resolve(() => undefined));
  });
}
