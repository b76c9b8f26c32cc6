/** What an entry of a directory can be. */
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

/** Who a transaction belongs to: exactly one call, or the person at the keyboard. */
export type Author =
  /** `claimant`: who executes the call. Somebody else may take it over, and fence off what the first one still commits. */
  (
    | { type: 'call'; toolCallId: string; claimant?: string }
    /** `isTyping`: what an editor saves by itself, one of many steps that a person sees as one. */
    | { type: 'person'; isTyping?: true }
  ) & {
    /** The point it made all files what they were at; only of a restore. */
    restored?: Version;
  };

export interface FileChange {
  path: string;
  type: 'created' | 'changed' | 'deleted';
  author: Author;
}

export interface ReadFileOptions {
  maxBytes?: number;
  /** The bytes are looked at and not kept: they may be a view of something far larger, which need not be copied. */
  isBrief?: boolean;
}

export interface TransactionOptions {
  /**
   * `relaxed`, the default, resolves when the commit is with the operating system: it outlives the browser, killed or
   * not. `strict` resolves when it is on the disk: it outlives a power cut, and takes many times as long.
   */
  durability?: 'relaxed' | 'strict';
}

/**
 * Reads of a workspace. Paths are absolute and normal (see `resolvePath`).
 * Every method rejects only with `FileSystemError`.
 */
export interface FileSystemReader {
  /**
   * The file's bytes; the caller may keep them but must not change them. Follows symlinks. Rejects with EFBIG, and
   * reads nothing, where there are more than `maxBytes`.
   */
  readFile(path: string, options?: ReadFileOptions): Promise<Uint8Array>;
  /** The bytes of many files, in the order of their paths: as `readFile`, and quicker. */
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
 * The changes of one transaction, visible to its own reads at once and to everybody else after the commit.
 * A method throws `FileSystemError` at once when the change is impossible as the tree stands.
 */
export interface FileSystemTransaction extends FileSystemReader {
  /** Creates missing parents. With `ifVersion`, throws ESTALE unless the file is at that version (0: must not exist). */
  writeFile(path: string, data: Uint8Array, options?: { ifVersion?: Version; mode?: number }): void;
  /** Creates missing parents; an existing directory is fine. */
  mkdir(path: string): void;
  symlink(target: string, path: string): void;
  /** Moves an entry with all below it; the target's parents are created, an existing target file is replaced. */
  rename(from: string, to: string): void;
  /** Copies an entry with all below it, as `rename` does. The bytes are shared until one of the two is written. */
  copy(from: string, to: string): void;
  rm(path: string, options?: { recursive?: boolean }): void;
  /** Sets the permission bits and the time of the last change, those that are given. Follows symlinks. */
  setAttributes(path: string, attributes: { mode?: number; mtimeMs?: number }): void;
}

export interface FileSystem extends FileSystemReader {
  /**
   * All or nothing, one author. `change` is run again from its start, reads included, when another commit came
   * between; so it must not have effects outside the transaction. Resolves when the commit is durable.
   */
  transaction<T>(
    author: Author,
    change: (tx: FileSystemTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Reads see at least what this file system has committed and what it has heard of from others, such as other tabs;
   * after this, they see everything that was committed before the call.
   */
  refresh(): Promise<void>;
  /** Calls back after each commit, this tab's or another's, until the returned function is called. */
  watch(listener: (changes: readonly FileChange[]) => void): () => void;
}
