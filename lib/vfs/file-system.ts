/** The types of directory entries. */
export type EntryType = 'file' | 'directory' | 'symlink';

/** Grows with every commit that touches the entry or moves it; equal versions of a path mean equal content. */
export type Version = number;

export interface Stat {
  type: EntryType;
  /** Bytes of content; 0 for a directory. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  /** POSIX permission bits, such as 0o644. */
  mode: number;
  version: Version;
}

export interface DirectoryEntry {
  name: string;
  type: EntryType;
  /** Bytes of content, or of a symlink’s target; 0 for a directory. */
  size: number;
}

/** Who a transaction belongs to: exactly one call, or the user. */
export type Author =
  /** `claimant`: who executes the call. Another may take over the call and fence off later commits of the first. */
  (
    | { type: 'call'; toolCallId: string; claimant?: string }
    /** `isTyping`: saved automatically by an editor; one of many steps that the user sees as a single edit. */
    | { type: 'person'; isTyping?: true }
  ) & {
    /** For a restore: the point that all files were restored to. */
    restored?: Version;
  };

export interface FileChange {
  path: string;
  type: 'created' | 'changed' | 'deleted';
  author: Author;
}

export interface ReadFileOptions {
  maxBytes?: number;
  /** The caller won't keep the bytes, so they may be a view of a much larger buffer instead of a copy. */
  isBrief?: boolean;
}

export interface TransactionOptions {
  /**
   * `relaxed`, the default, resolves when the operating system has the commit: it survives even if the browser is
   * killed. `strict` resolves when the commit is on disk: it survives a power cut, but takes many times as long.
   */
  durability?: 'relaxed' | 'strict';
}

/**
 * Read access to a workspace. Paths are absolute and normalized (see `resolvePath`).
 * Every method rejects only with `FileSystemError`.
 */
export interface FileSystemReader {
  /**
   * The file's bytes; the caller may keep them but must not change them. Follows symlinks. If there are more than
   * `maxBytes`, rejects with EFBIG without reading anything.
   */
  readFile(path: string, options?: ReadFileOptions): Promise<Uint8Array>;
  /** The bytes of many files, in the order of their paths: like `readFile`, but faster. */
  readFiles(paths: readonly string[], options?: ReadFileOptions): Promise<Uint8Array[]>;
  /** Entries sorted by name in code-unit order. */
  readdir(path: string): Promise<readonly DirectoryEntry[]>;
  /** Follows symlinks. */
  stat(path: string): Promise<Stat>;
  /** Does not follow a symlink in the last segment. */
  lstat(path: string): Promise<Stat>;
  readlink(path: string): Promise<string>;
}

/**
 * The changes of one transaction, visible immediately to its own reads and to everyone else after the commit.
 * A method throws `FileSystemError` immediately when the current tree does not allow the change.
 */
export interface FileSystemTransaction extends FileSystemReader {
  /**
   * Creates missing parents. With `ifVersion`, throws ESTALE unless the file is at that version (0: must not exist).
   */
  writeFile(path: string, data: Uint8Array, options?: { ifVersion?: Version; mode?: number }): void;
  /** Creates missing parents; an existing directory is fine. */
  mkdir(path: string): void;
  symlink(target: string, path: string): void;
  /** Moves an entry with everything below it; creates the target's parents and replaces an existing target file. */
  rename(from: string, to: string): void;
  /** Copies an entry with everything below it, like `rename`. The bytes are shared until either one is written. */
  copy(from: string, to: string): void;
  rm(path: string, options?: { recursive?: boolean }): void;
  /** Sets the permission bits, the time of the last change, or both. Follows symlinks. */
  setAttributes(path: string, attributes: { mode?: number; mtimeMs?: number }): void;
}

export interface FileSystem extends FileSystemReader {
  /**
   * Atomic, with one author. If another commit comes in between, `change` runs again from the start, including its
   * reads, so it must not have side effects outside the transaction. Resolves when the commit is durable.
   */
  transaction<T>(
    author: Author,
    change: (tx: FileSystemTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Makes everything that was committed before the call visible to reads. Without it, reads see at least this file
   * system's own commits and those it has been notified of by others, such as other tabs.
   */
  refresh(): Promise<void>;
  /** Calls back after each commit by this tab or another, until the returned function is called. */
  watch(listener: (changes: readonly FileChange[]) => void): () => void;
}
