// The limits of a process in which code runs. How much it may send is limited as for a frame; see lib/sandbox/limits.ts.

/**
 * The memory that the process may use for JavaScript's objects, in megabytes; if it needs more, Node ends it. The
 * content of array buffers does not count: only the confinement of the process can limit that.
 */
const MEMORY_MAX_MB = 512;

/** The arguments for Node that come before the script's path when it starts a process for code. They limit the memory. */
export const NODE_ARGUMENTS: readonly string[] = [`--max-old-space-size=${MEMORY_MAX_MB}`];

/**
 * The time limit for the start of a process in which code runs, in milliseconds; the code's time limit starts after that.
 */
export const PROCESS_START_TIMEOUT_MS = 10_000;

/**
 * The number of characters that are kept of what a process in which code runs writes to its standard error: the last ones,
 * which say why the process ended.
 */
export const STDERR_MAX_CHARS = 2_000;
