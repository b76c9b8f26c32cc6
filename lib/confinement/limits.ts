// What programs that tools start may use. docs/COMMAND-LINE.md explains it.

/** How much of each output stream of a command is kept, in bytes: half from the beginning, half from the end. */
export const OUTPUT_MAX_BYTES = 1_000_000;

/** How long a program has to end by itself after it was asked to, in milliseconds. */
export const END_GRACE_MS = 1_000;

/** How long output may still arrive after a command has ended, in milliseconds: something it left behind may hold it. */
export const LATE_OUTPUT_MS = 200;

/** How long it may take to find out whether programs can be confined, in milliseconds. */
export const PROBE_TIMEOUT_MS = 10_000;
