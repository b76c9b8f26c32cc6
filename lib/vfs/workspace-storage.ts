import type { Author, FileChange, TransactionOptions, Version } from './file-system.ts';
import type { BlobId, NodeChanges, NodeId, NodeState, TreeView } from './node-tree.ts';

/** One transaction as it is to be stored: all of it or nothing. */
export interface Commit {
  sequence: Version;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  changes: NodeChanges;
  /** The same changes in brief, where they bring back what commits of the past removed. */
  brief?: BriefChanges | undefined;
  /** The bytes that the changes bring. */
  blobs: ReadonlyMap<BlobId, Uint8Array>;
}

/** Changes that need not name thousands of nodes one by one. */
export interface BriefChanges {
  named: NodeChanges;
  /** Commits of which every node that they removed comes back as it was before them, but for those that are named. */
  returned: readonly Version[];
}

/** One commit of the past. */
export interface LogEntry {
  sequence: Version;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  changes: readonly { id: NodeId; before: NodeState | null; after: NodeState | null }[];
}

/** Names the bytes of a file, of now or of the past. */
export type FileContent = Pick<NodeState, 'blob' | 'size'>;

/** What has become part of a storage's tree. */
export interface StorageUpdate {
  /** The storage's sequence number now. */
  sequence: Version;
  /** What it means for each path. */
  report: readonly FileChange[];
  /** The commit it was; undefined where the tree was read anew, because too much has happened in between. */
  changes?: NodeChanges;
  /** Who asked for the commit, as `commit` was told. */
  origin?: object | undefined;
}

export interface CommitOptions extends Required<TransactionOptions> {
  /** Who asks for it: a listener can leave out what it asked for itself. */
  origin?: object;
}

/** Where the commits of a workspace are kept. Rejects only with `FileSystemError`. */
export interface WorkspaceStorage {
  /** What all commits up to `sequence` make. Throws EIO where the storage was closed. */
  readonly tree: TreeView;
  /** The same, to be looked at for this moment only: it may be there sooner. */
  readonly glance?: TreeView;
  readonly sequence: Version;
  /** Commits up to this one are no longer in the log. */
  readonly floor: Version;
  /**
   * Stores commits, which follow each other and on `sequence`, all or none. False when others were quicker: then
   * `tree` has what they did, and the transactions have to run again. Rejects when they cannot be stored at all, with
   * ECANCELED when one is of a call that somebody else has fenced off.
   */
  commit(commits: readonly Commit[], options: CommitOptions): Promise<boolean>;
  /** Brings `tree` up to everything that anybody has committed. */
  refresh(): Promise<void>;
  /**
   * The bytes, which the caller may keep but not change. `path` is for the error. Those that are looked at briefly, and
   * not kept, may be a view of something far larger.
   */
  readBlob(file: FileContent, path: string, isBrief?: boolean): Promise<Uint8Array>;
  /** Brings contents into memory, as far as that can be done. */
  preload?(files: readonly FileContent[]): Promise<void>;
  /** As `readBlob`, of what is in memory; undefined of anything else. */
  peekBlob?(file: FileContent, isBrief?: boolean): Uint8Array | undefined;
  /** The commits after a sequence number that are part of `tree`, in order. Those up to `floor` are missing. */
  log(after: Version): Promise<readonly LogEntry[]>;
  /** From now on, of the commits of a call only those of this claimant are taken. */
  fence(toolCallId: string, claimant: string): Promise<void>;
  /** The commits of one call, in order. */
  commitsOf(toolCallId: string): Promise<readonly LogEntry[]>;
  /**
   * Forgets the commits up to a sequence number, and all contents that only they knew. The tree stays as it is. It is a
   * commit itself, without changes, so that nothing that was about to return to one of them can do so any more.
   */
  forget(upTo: Version): Promise<void>;
  /**
   * Calls back for each commit that has become part of `tree`, whoever made it, until the returned function is called.
   * A listener that does not want what an origin commits may be left out of it.
   */
  subscribe(listener: (update: StorageUpdate) => void, wants?: (origin?: object) => boolean): () => void;
}
