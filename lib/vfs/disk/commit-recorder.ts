import type { Author } from '#lib/vfs/file-system.ts';
import type { NodeState } from '#lib/vfs/node-tree.ts';

/** A commit with its changes by path, as a `CommitRecorder` gets it before it is applied to the disk. */
export interface DiskCommit {
  author: Author;
  changes: readonly { path: string; before: NodeState | undefined; after: NodeState | undefined }[];
  /** The content of a file before or after the commit; undefined if it cannot be read. */
  contentOf(state: NodeState): Uint8Array | undefined;
  /** The target of a symlink, as it is or will be on disk. */
  linkOf(state: NodeState): string;
  /** A text that identifies the state of an existing file on disk (see `toSignature`); undefined for a new file. */
  signatureOf(state: NodeState): string | undefined;
  /** The signature of the entry at a path on disk now; undefined if nothing is there. */
  signatureNow(path: string): string | undefined;
}

/** Keeps a record of commits, so that they can be undone, and finished or taken back after a crash. */
export interface CommitRecorder {
  /**
   * Called before a commit changes anything on disk. If it rejects, the commit is not made. Afterwards, `done` is called when
   * all of the commit has been made, before the replaced contents are deleted; `failed`, when it failed and was rolled back
   * completely. If neither is called, some of it could not be rolled back, or the process has ended in between.
   */
  begin(commit: DiskCommit): Promise<CommitRecord>;
}

/** The record of a commit that has begun; `CommitRecorder.begin` says when `done` or `failed` is called. */
export interface CommitRecord {
  id: string;
  done(): Promise<void>;
  failed(): Promise<void>;
}
