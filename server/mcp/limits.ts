/** The limits of all tool servers of the studio's operator together. */
export const STUDIO_SERVER_LIMITS = {
  /** Programs that run at a time; each connection has one of its own. */
  programs: 16,
  /** Requests of a connection that are under way. */
  requests: 32,
  /**
   * Connections that are told at once when tools change. Each takes one of the few connections that a browser opens to
   * the studio; the others find out with their next call.
   */
  listeners: 3,
  /** The time for which an unused program is kept, in milliseconds. */
  idleMs: 600_000,
  /** The time for which an unused program is kept once its page is gone, in milliseconds. */
  leftMs: 30_000,
  /** The pauses before starts, by the number of times in a row that a program has ended by itself, in milliseconds. */
  restartMs: [0, 0, 1_000, 5_000, 15_000, 60_000],
  /** The running time after which a program's earlier failures no longer count, in milliseconds. */
  steadyMs: 60_000,
  /** Lines of a server's standard error that go to the log in a minute; the others are counted. */
  errorLines: 50,
  /** The longest line of standard error in the log, in characters; longer ones are cut. */
  errorLine: 1_000,
  /** The interval at which an open stream shows that it is open, in milliseconds. */
  keepAliveMs: 25_000,
} as const;
