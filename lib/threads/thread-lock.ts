/** Callbacks of the holder of a thread's lock, for when it gets the lock, and when it has to give it up. */
export interface ThreadLockHost {
  /** Called when this tab has the lock. Resolves when the tab has loaded what is stored and continues from there. */
  acquired(): Promise<void>;
  /** Called when another tab has taken the lock: this tab must not act for the thread anymore. */
  lost(): void;
  /**
   * Checks whether a tool is running. While one is, the thread is handed over only when `idle` is called; otherwise,
   * immediately.
   */
  isBusy(): boolean;
  /**
   * Called when another tab asks for the lock. Stops acting, without ending the turn; resolves when nothing more will be
   * written.
   */
  pause(): Promise<void>;
}

/** The right to act for a thread: one page, or process, has it at a time (rule R4). */
export interface ThreadLock {
  /** Whether this tab has the lock, and so may act for the thread. */
  readonly held: boolean;

  /** Takes the lock if it is free, otherwise waits in line for it. Resolves with whether this tab got it right away. */
  open(): Promise<boolean>;

  /**
   * Takes the lock over from the tab that holds it. Resolves when this tab has it: immediately if it had it already, when the
   * holder yields, or when the holder does not answer in time.
   */
  takeOver(): Promise<void>;

  /** Must be called when a tool has ended: hands the lock to a tab that is waiting for that. */
  idle(): void;

  /** Gives up the lock, or the place in line. */
  close(): void;
}

/**
 * Creates the lock of a thread, without taking it. `host` is told when this tab gets the lock, and when it has to give it up.
 */
export type CreateThreadLock = (threadId: string, host: ThreadLockHost) => ThreadLock;
