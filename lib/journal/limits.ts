// What the journal of a folder keeps. docs/COMMAND-LINE.md explains it.

/** The largest file whose contents are kept, in bytes. A larger one that was changed cannot be restored. */
export const KEPT_FILE_MAX_BYTES = 10_000_000;

/** Of how many files the contents are kept before a command runs, and how many bytes of them. */
export const KEPT_FILES_MAX = 20_000;
export const KEPT_BYTES_MAX = 500_000_000;

/** How many turns can be undone. Older ones are forgotten when a folder is used the next time. */
export const TURNS_MAX = 100;

/** How long contents that nothing refers to are left alone, in milliseconds: another process may be about to use them. */
export const UNUSED_CONTENT_MS = 3_600_000;

/** How long the journal's list may be before older turns are forgotten, in bytes. */
export const LOG_MAX_BYTES = 64_000_000;

/** How often a command that runs is marked as running, in milliseconds. */
export const BEAT_MS = 250;
