// The limits of what the journal of a folder keeps. docs/COMMAND-LINE.md explains it.

/**
 * The size of the largest file whose contents the journal keeps, in bytes. A larger one that was changed cannot be restored.
 */
export const KEPT_FILE_MAX_BYTES = 10_000_000;

/** The maximum number of files whose contents the journal keeps before a command runs, so that its changes can be undone. */
export const KEPT_FILES_MAX = 20_000;
/**
 * The maximum total size in bytes of the contents that the journal stores before a command runs, without those that it has
 * already.
 */
export const KEPT_BYTES_MAX = 500_000_000;

/**
 * The number of turns that the journal keeps, so that they can be undone. Older ones are forgotten once there are twice as
 * many.
 */
export const TURNS_MAX = 100;

/**
 * The age from which stored contents that nothing in the journal refers to are deleted, in milliseconds: another process may
 * be about to use newer ones.
 */
export const UNUSED_CONTENT_MS = 3_600_000;

/** The size in bytes of the file with the journal's entries above which the older half of its turns is forgotten. */
export const LOG_MAX_BYTES = 64_000_000;

/**
 * The interval at which the journal notes that a command is still running, in milliseconds; it tells after a crash when the
 * command ended at the latest.
 */
export const BEAT_MS = 250;
