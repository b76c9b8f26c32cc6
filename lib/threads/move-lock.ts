/** Keeps a workspace's files from moving to another point of their history while calls are working on them (rule R20). */
export interface MoveLock {
  /** Runs work that uses the files, side by side with other such work; the files don't move in the meantime. */
  share<T>(work: () => Promise<T>): Promise<T>;

  /** Runs work alone and resolves with true; while any other work runs, resolves with false without running it. */
  ifFree(work: () => Promise<void>): Promise<boolean>;
}
