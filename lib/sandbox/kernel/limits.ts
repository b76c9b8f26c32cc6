// Limits of what the kernel sends and starts for one evaluation, or a page. The studio's page enforces its own limits.

/** The most characters of the text of one value that are shown. */
export const TEXT_MAX_CHARS = 20_000;

/** The most values that are shown inside of one value, at all depths. */
export const NODES_MAX = 2_000;

/** The depth to which nested values are shown. */
export const DEPTH_MAX = 5;

/** The most entries of one object that are shown, and the most values in one line of the console. */
export const ITEMS_MAX = 100;

/** The most characters of the name of a property, a function, or an error that are shown. */
export const KEY_MAX_CHARS = 200;

/**
 * The maximum size of a canvas that is shown as an image, in characters of its data URL. A larger one is shown as its
 * markup.
 */
export const IMAGE_MAX_CHARS = 700_000;

/**
 * The maximum size of a DOM element that the user sees as an image when code returns or prints it, in characters of its markup.
 * A larger one is only shown as markup.
 */
export const DRAWING_MAX_CHARS = 200_000;

/** The number of lines that an evaluation may print, or a page in `PAGE_CONSOLE_MS`. */
export const CONSOLE_MAX_LINES = 1_000;

/** The length of all values that an evaluation may print, or a page in `PAGE_CONSOLE_MS`, in characters of JSON. */
export const CONSOLE_MAX_CHARS = 200_000;

/**
 * The time after which a previewed page may print `CONSOLE_MAX_LINES` and `CONSOLE_MAX_CHARS` again, in milliseconds. An
 * evaluation may not.
 */
export const PAGE_CONSOLE_MS = 5_000;

/** The most refusals (see `refuse`) that are reported in one window or process. */
export const REFUSALS_MAX = 200;

/**
 * The most workers that may run at once. They keep running after the evaluation that started them, so they never take more
 * threads than the machine has.
 */
export const WORKERS_MAX = Math.min(4, navigator.hardwareConcurrency || 2);

/** The most changes that code may make to the window's history in one session. */
export const HISTORY_CHANGES_MAX = 1_000;

/**
 * The most changes (`changes`) that code may make to the window's history within `ms` milliseconds, as in Chromium. Each
 * change is work for the browser.
 */
export const HISTORY_BURST = { changes: 200, ms: 10_000 } as const;

/** The most positions from the stack of a thrown error that are sent. */
export const PLACES_MAX = 10;

/** The most characters that code can write to a file at once. Even if all of them are escaped, they fit into a message. */
export const FILE_MAX_CHARS = 1_000_000;
