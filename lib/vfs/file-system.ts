/** The types of directory entries. */
export type EntryType = 'file' | 'directory' | 'symlink';

/**
 * The number of a commit. The version of an entry is the last commit that changed or moved it, so it only grows; equal
 * versions of a path mean equal content.
 */
export type Version = number;

/** An entry's metadata. */
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

/** An entry in a directory listing. */
export interface DirectoryEntry {
  name: string;
  type: EntryType;
  /** Bytes of content, or of a symlink’s target; 0 for a directory. */
  size: number;
  /** Present if the entry, or the target of the symlink, may not be read; see `guardedFiles`. */
  isProtected?: true;
}

/** The author of a transaction: one call of a tool, or the user. */
export type Author =
  /**
   * `claimant`: the executor that runs the call. Another executor may take the call over and fence off later commits of the
   * first. `isReviewed`: the user has reviewed, and perhaps changed, what the call writes.
   */
  (
    | { type: 'call'; toolCallId: string; claimant?: string; isReviewed?: true }
    /** `isTyping`: saved automatically by an editor; one of many steps that the user sees as a single edit. */
    | { type: 'person'; isTyping?: true }
  ) & {
    /** For a restore: the sequence number of the commit to whose state all files were restored. */
    restored?: Version;
  };

/** The change that a commit made to one path. A move deletes one path and creates another. */
export interface FileChange {
  path: string;
  type: 'created' | 'changed' | 'deleted';
  author: Author;
}

/** Options for reading a file. */
export interface ReadFileOptions {
  /** Larger files are rejected with EFBIG; by default, there is no limit. */
  maxBytes?: number;
  /** Whether the caller won't keep the bytes, so that they may be a view of a much larger buffer instead of a copy. */
  isBrief?: boolean;
}

/** Options for storing a transaction. */
export interface TransactionOptions {
  /**
   * `relaxed`, the default, resolves when the operating system has the commit: it survives even if the browser is
   * killed. `strict` resolves when the commit is on disk: it survives a power cut, but takes many times as long.
   */
  durability?: 'relaxed' | 'strict';
}

/**
 * Read access to a workspace. Paths are absolute and normalized (see `resolvePath`). Every method rejects only with
 * `FileSystemError`: ENOENT if nothing is at the path, ENOTDIR if a file is on the way, ELOOP if there are too many
 * symlinks, EIO if the storage fails; and EACCES if a rule forbids it (see `guardedFiles`).
 */
export interface FileSystemReader {
  /**
   * The file's bytes; the caller may keep them but must not change them. Follows symlinks. Rejects with EISDIR for a
   * directory, and with EFBIG, without reading anything, if there are more than `maxBytes`.
   */
  readFile(path: string, options?: ReadFileOptions): Promise<Uint8Array>;
  /** The bytes of many files, in the order of `paths`: like `readFile`, but faster. Rejects if any of them fails. */
  readFiles(paths: readonly string[], options?: ReadFileOptions): Promise<Uint8Array[]>;
  /** A directory's entries, sorted by name in code-unit order. Follows symlinks. Rejects with ENOTDIR for a file. */
  readdir(path: string): Promise<readonly DirectoryEntry[]>;
  /** The metadata of an entry. Follows symlinks. */
  stat(path: string): Promise<Stat>;
  /** The metadata of an entry. Does not follow a symlink in the last segment. */
  lstat(path: string): Promise<Stat>;
  /** A symlink's target, as it was given when the symlink was created. Rejects with EINVAL for anything else. */
  readlink(path: string): Promise<string>;
  /**
   * The path to which a path leads, with symlinks resolved, whether or not anything is there. With `followLast: false`, a
   * symlink in the last segment is not resolved. Throws what reading the path would reject with, but never ENOENT.
   */
  realPath(path: string, options?: { followLast?: boolean }): string;
  /** The paths of everything below a directory, folder by folder; empty for anything else. Does not follow symlinks. */
  pathsBelow(path: string): Iterable<string>;
}

/**
 * The changes of one transaction, visible immediately to its own reads and to everyone else after the commit. A method
 * throws `FileSystemError` immediately when the current tree does not allow the change, or EINVAL when the transaction
 * has ended.
 */
export interface FileSystemTransaction extends FileSystemReader {
  /**
   * Writes a file and creates missing parents; the bytes are copied. Follows symlinks. Without `mode`, an existing file
   * keeps its own, and a new one gets 0o644. With `ifVersion`, throws ESTALE unless the file is at that version (0: must
   * not exist). Throws EISDIR for a directory.
   */
  writeFile(path: string, data: Uint8Array, options?: { ifVersion?: Version; mode?: number }): void;
  /** Creates a directory and missing parents; an existing one is fine. Throws EEXIST if a file is there. */
  mkdir(path: string): void;
  /** Creates a symlink and missing parents; the target need not exist. Throws EEXIST if anything is there. */
  symlink(target: string, path: string): void;
  /**
   * Moves an entry with everything below it; a symlink itself, not its target. Creates missing parents of `to`, and replaces a
   * file or an empty directory there. Throws ENOTEMPTY if the directory there is not empty, EISDIR or ENOTDIR if only one of
   * the two entries is a directory, EINVAL if `to` is below `from`.
   */
  rename(from: string, to: string): void;
  /** Copies an entry with everything below it; otherwise like `rename`. The copied bytes take no additional space. */
  copy(from: string, to: string): void;
  /**
   * Removes an entry; a symlink itself, not its target. Throws ENOTEMPTY for a directory with entries unless `recursive`, and
   * EINVAL for the root.
   */
  rm(path: string, options?: { recursive?: boolean }): void;
  /** Sets permission bits, the time of the last change, or both. Follows symlinks. Throws EINVAL for the root. */
  setAttributes(path: string, attributes: { mode?: number; mtimeMs?: number }): void;
}

/** A workspace. Reads see what is stored; all changes are made in transactions. */
export interface FileSystem extends FileSystemReader {
  /**
   * Runs `change`, and stores its changes as one atomic commit by `author`. If another commit comes in between, `change` runs
   * again from the start, including its reads, so it must not have side effects outside the transaction. Resolves with what
   * `change` returns when the commit is durable. Rejects with what `change` rejects with, or with ENOSPC, EIO or, for a call
   * that another claimant has taken over, ECANCELED.
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
  /**
   * Calls `listener` with the changes of each commit that changed anything, by this tab or another, until the returned function
   * is called.
   */
  watch(listener: (changes: readonly FileChange[]) => void): () => void;
}
