/**
 * Limits for every tool server that is a program of this machine, no matter who starts it: sizes of messages and lines, and
 * times.
 */
export const PROGRAM_LIMITS = {
  /** One message, in either direction, in bytes. */
  messageBytes: 16_777_216,
  /** The time limit for finding out whether the program speaks the current version of the protocol, in milliseconds. */
  probeMs: 5_000,
  /** The time for which the program's last messages may still arrive after it has ended, in milliseconds. */
  lastMessagesMs: 500,
  /** A line that the program writes to its standard error, in characters; the rest is left out. */
  errorLine: 4_000,
} as const;
