/** What the tool servers of the studio's operator may cost together. */
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
  /** How long a program is kept that nobody uses, in milliseconds. */
  idleMs: 600_000,
  /** How long it is kept once its page is gone, in milliseconds. */
  leftMs: 30_000,
  /** How long to wait before starts, by how often a program has ended by itself in a row, in milliseconds. */
  restartMs: [0, 0, 1_000, 5_000, 15_000, 60_000],
  /** A program that ran for so long counts as one that works, in milliseconds. */
  steadyMs: 60_000,
  /** Lines of its standard error that go to the log in a minute; the others are counted. */
  errorLines: 50,
  /** A line of it in the log, in characters. */
  errorLine: 1_000,
  /** How often an open stream shows that it is open, in milliseconds. */
  keepAliveMs: 25_000,
} as const;
