/**
 * The limits for the tool servers of the studio's operator: for programs, requests, and connections that are notified of
 * changes, for the time that unused programs are kept, for restarts after failures, and for the error output in the log.
 */
export const STUDIO_SERVER_LIMITS = {
  /** The maximum number of programs that run at a time, of all servers together. Each connection has a program of its own. */
  programs: 16,
  /** The maximum number of requests of one connection that are under way at a time. */
  requests: 32,
  /**
   * The maximum number of connections, of all servers together, that are told at once when tools change. Each takes one of the
   * few HTTP connections that a browser opens to the studio; the others find out with their next call.
   */
  listeners: 3,
  /** The time for which an unused program is kept, in milliseconds. */
  idleMs: 600_000,
  /** The time for which an unused program is kept once its page is gone, in milliseconds. */
  leftMs: 30_000,
  /**
   * The pauses before a server's program is started again, in milliseconds since it ended, by the number of times in a row that
   * it has ended by itself. The last pause is also for larger numbers.
   */
  restartMs: [0, 0, 1_000, 5_000, 15_000, 60_000],
  /** The running time after which a program's earlier failures no longer count, in milliseconds. */
  steadyMs: 60_000,
  /** The maximum number of lines of a server's standard error that go to the log in a minute; the others are only counted. */
  errorLines: 50,
  /** The longest line of standard error in the log, in characters; longer ones are cut. */
  errorLine: 1_000,
  /** The interval at which an open stream shows that it is open, in milliseconds. */
  keepAliveMs: 25_000,
} as const;
