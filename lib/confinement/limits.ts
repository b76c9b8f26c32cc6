// The limits of programs that tools start. docs/COMMAND-LINE.md explains them.

/** The number of bytes kept of each output stream of a command: half from the beginning, half from the end. */
export const OUTPUT_MAX_BYTES = 1_000_000;

/** The time that a program has to end by itself after it was asked to, in milliseconds. */
export const END_GRACE_MS = 1_000;

/**
 * The longest wait for further output after a command has ended, in milliseconds: a process that it left behind may keep its
 * output open.
 */
export const LATE_OUTPUT_MS = 200;

/** The time limit for finding out whether programs can be confined, in milliseconds. */
export const PROBE_TIMEOUT_MS = 10_000;
