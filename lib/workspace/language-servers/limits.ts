/** The maximum number of files that one check by language servers covers. */
export const MAX_CHECKED_FILES = 200;

/**
 * The size of the largest file that language servers check, in bytes. Larger ones are generated or data, and their problems
 * would hide all others.
 */
export const CHECKED_FILE_MAX_BYTES = 1_000_000;

/** The maximum number of files that a language server has open, unless a single check covers more. */
export const MAX_OPEN_FILES = 200;

/** The number of files whose problems are requested from a language server at the same time. */
export const PULLS_AT_ONCE = 8;

/** The pause before a request to a language server is repeated because the server cannot answer it yet, in milliseconds. */
export const RETRY_PAUSE_MS = 100;

/**
 * The time in milliseconds without new diagnostics and progress after which a language server that publishes diagnostics by
 * itself counts as finished.
 */
export const PUSH_SETTLE_MS = 300;

/** The largest message of a language server that is read, in bytes. A server with a larger one is ended. */
export const MAX_MESSAGE_BYTES = 32_000_000;

/** The longest header of a language server's message, in bytes. A server with a longer one is ended. */
export const MAX_HEADER_BYTES = 4_000;

/** The number of characters of a language server's error output that are kept, from its end. */
export const ERROR_OUTPUT_CHARACTERS = 8_000;
/** The number of characters of a language server's error output that the failure of a check shows, from its end. */
export const SHOWN_ERROR_CHARACTERS = 1_000;

/** The number of characters that the failure of a check shows of a language server's output that is not a valid message. */
export const SHOWN_OUTPUT_CHARACTERS = 100;

/**
 * The time that a language server has for each step of its end, in milliseconds: to answer `shutdown`, to exit by itself,
 * and to obey SIGTERM.
 */
export const END_GRACE_MS = 1_000;

/** The time to wait for the last output of a language server's process that has exited, in milliseconds. */
export const LAST_OUTPUT_MS = 200;
