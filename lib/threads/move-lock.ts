/** Keeps a workspace's files from moving to another point while calls are working on them (rule R20). */
export interface MoveLock {
  /** Runs work, side by side with other such work; the files don't move in the meantime. */
  share<T>(work: () => Promise<T>): Promise<T>;

  /** Runs work alone and resolves with true, or with false without running it while there is any other. */
  ifFree(work: () => Promise<void>): Promise<boolean>;
}
