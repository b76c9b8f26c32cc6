import type { Author, FileChange, TransactionOptions, Version } from './file-system.ts';
import type { BlobId, NodeChanges, NodeId, NodeState, TreeView } from './node-tree.ts';

/** The changes of one transaction, to be stored atomically; `sequence` is the commit number that it claims. */
export interface Commit {
  sequence: Version;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  changes: NodeChanges;
  /** The same changes in brief form, if they restore nodes that past commits removed. */
  brief?: BriefChanges | undefined;
  /** The bytes of new contents. */
  blobs: ReadonlyMap<BlobId, Uint8Array>;
}

/** A commit's changes in a form that does not list each of the thousands of nodes that it may restore. */
interface BriefChanges {
  named: NodeChanges;
  /** Sequence numbers of past commits whose removed nodes this commit restores, all except those in `named`. */
  returned: readonly Version[];
}

/** One commit in the log of a workspace, with the state of each node that it changed before and after. */
export interface LogEntry {
  sequence: Version;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /** The state of each node before and after the commit; null if it did not exist. */
  changes: readonly { id: NodeId; before: NodeState | null; after: NodeState | null }[];
}

/** The id and the size of the bytes of a current or past file, by which a storage can read them. */
export type FileContent = Pick<NodeState, 'blob' | 'size'>;

/** A change to a storage's tree, as its listeners get it: a commit, or that the whole tree was reloaded. */
export interface StorageUpdate {
  /** The storage's sequence number after the change. */
  sequence: Version;
  /** The change to each path. If the whole tree was loaded again, the user stands for all authors. */
  report: readonly FileChange[];
  /** The commit's changes; undefined if the whole tree was loaded again, for instance after another tab's snapshot. */
  changes?: NodeChanges;
  /** The requester of the commit, as passed to `commit`; undefined if it is not known, as for commits by other tabs. */
  origin?: object | undefined;
}

/** Options for storing commits. */
export interface CommitOptions extends Required<TransactionOptions> {
  /** The requester of the commit, so that listeners can ignore their own commits. */
  origin?: object;
}

/**
 * Stores the commits of a workspace, and has the tree of entries that results from them. Methods reject only with
 * `FileSystemError`.
 */
export interface WorkspaceStorage {
  /** The entries after all commits up to `sequence`. Throws EIO if the storage was closed. */
  readonly tree: TreeView;
  /** The same tree, which may be available sooner, for immediate use only: callers must not keep it. */
  readonly glance?: TreeView;
  /** The number of the last commit in `tree`; 0 if there is none. */
  readonly sequence: Version;
  /** The number of the last commit that is no longer in the log; 0 if all are in it. */
  readonly floor: Version;
  /**
   * Stores consecutive commits that follow on `sequence`, atomically. False if others committed first: then `tree` has
   * their changes, and the transactions must run again. Rejects if the commits cannot be stored at all, with ECANCELED
   * if one of them belongs to a call that has been fenced off.
   */
  commit(commits: readonly Commit[], options: CommitOptions): Promise<boolean>;
  /** Updates `tree` with everything that has been committed, by anyone. */
  refresh(): Promise<void>;
  /**
   * Reads a content's bytes, which the caller may keep but not change. `path` is only for the error. With `isBrief`, the caller
   * must not keep them either, and they may be a view of a much larger buffer.
   */
  readBlob(file: FileContent, path: string, isBrief?: boolean): Promise<Uint8Array>;
  /** Loads contents into memory, as far as possible. */
  preload?(files: readonly FileContent[]): Promise<void>;
  /** Like `readBlob`, for contents in memory; undefined for any other. */
  peekBlob?(file: FileContent, isBrief?: boolean): Uint8Array | undefined;
  /** The commits after a sequence number that are part of `tree`, in order. Those up to `floor` are missing. */
  log(after: Version): Promise<readonly LogEntry[]>;
  /** Fences a claimant off from a call: from now on, its commits for the call are refused with ECANCELED. */
  fence(toolCallId: string, claimant: string): Promise<void>;
  /** The commits of one call, in order. */
  commitsOf(toolCallId: string): Promise<readonly LogEntry[]>;
  /**
   * Deletes the commits up to a sequence number and all contents that only they refer to. The tree stays unchanged.
   * This is itself a commit, without changes, so that a concurrent restore of one of the deleted points fails.
   */
  forget(upTo: Version): Promise<void>;
  /**
   * Calls back for each commit added to `tree`, whoever made it, until the returned function is called. The storage may
   * skip commits whose origin the listener does not want.
   */
  subscribe(listener: (update: StorageUpdate) => void, wants?: (origin?: object) => boolean): () => void;
}
