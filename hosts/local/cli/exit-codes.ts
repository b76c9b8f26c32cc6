/** The exit codes of the program. `denied`: the answer is complete, but a call was not allowed. */
export const EXIT = { done: 0, failed: 1, usage: 2, denied: 3, stopped: 130 } as const;

/** The signals that end the program early: from Ctrl-C, from other programs, and from a terminal that is closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Thrown for arguments that cannot be used; the message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
