// The limits of what the journal of a folder keeps. docs/COMMAND-LINE.md explains it.

/** The largest file whose contents are kept, in bytes. A larger one that was changed cannot be restored. */
export const KEPT_FILE_MAX_BYTES = 10_000_000;

/** The number of files whose contents are kept before a command runs. */
export const KEPT_FILES_MAX = 20_000;
/** The total size of the contents that are newly kept before a command runs, in bytes. */
export const KEPT_BYTES_MAX = 500_000_000;

/** The number of turns that are kept and can be undone. Older ones are forgotten once there are twice as many. */
export const TURNS_MAX = 100;

/** The age from which unused contents are deleted, in milliseconds: another process may be about to use newer ones. */
export const UNUSED_CONTENT_MS = 3_600_000;

/** The largest size of the journal's list before older turns are forgotten, in bytes. */
export const LOG_MAX_BYTES = 64_000_000;

/** The interval at which a command that runs is marked as running, in milliseconds. */
export const BEAT_MS = 250;
