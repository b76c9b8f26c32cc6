/** The most files that one check covers. */
export const MAX_CHECKED_FILES = 200;

/**
 * The size of the largest file that is checked, in bytes. Larger ones are generated or data, and their problems would hide
 * all others.
 */
export const CHECKED_FILE_MAX_BYTES = 1_000_000;

/** The maximum number of files that a server has open, unless a single check covers more. */
export const MAX_OPEN_FILES = 200;

/** The number of files about which a server is asked at the same time. */
export const PULLS_AT_ONCE = 8;

/** The pause before asking again when a server says that it cannot answer yet, in milliseconds. */
export const RETRY_PAUSE_MS = 100;

/** A server that publishes diagnostics by itself has finished when it has been quiet for this long, in milliseconds. */
export const PUSH_SETTLE_MS = 300;

/** The largest message of a server that is read, in bytes. A larger one ends the server. */
export const MAX_MESSAGE_BYTES = 32_000_000;

/** The longest header of a message, in bytes. */
export const MAX_HEADER_BYTES = 4_000;

/** The number of characters of a server's error output that are kept, from its end. */
export const ERROR_OUTPUT_CHARACTERS = 8_000;
/** The number of characters of a server's error output that messages show, from its end. */
export const SHOWN_ERROR_CHARACTERS = 1_000;

/** The number of characters that are shown of output that should have been a message. */
export const SHOWN_OUTPUT_CHARACTERS = 100;

/** The time that a server has to answer `shutdown`, to exit by itself, and to obey SIGTERM; each in milliseconds. */
export const END_GRACE_MS = 1_000;

/** The time to wait for the last output of a process that has exited, in milliseconds. */
export const LAST_OUTPUT_MS = 200;
