/** The limits of the preview in one place; docs/PREVIEW.md explains them. */

/** The maximum size of a file that a page or its build reads, in bytes. */
export const PAGE_FILE_MAX_BYTES = 20_000_000;

/** The size up to which the contents of a file are sent to the bundler as soon as the file is found, in bytes. */
export const FOUND_MAX_BYTES = 100_000;

/** The maximum total size of a page's HTML, scripts and styles, in characters. */
export const PAGE_MAX_CHARS = 60_000_000;

/** The maximum duration of a build, in milliseconds; one that takes longer is ended. */
export const BUILD_TIMEOUT_MS = 30_000;

/** The maximum time that a page may take to load, in milliseconds; one that takes longer is stopped. */
export const LOAD_TIMEOUT_MS = 10_000;

/** The time that files must stay unchanged before a page is rebuilt, in milliseconds. */
export const REBUILD_DELAY_MS = 60;

/** A loaded page counts as settled when it has printed nothing for this long, in milliseconds. */
export const SETTLED_MS = 300;
/** A loaded page counts as settled after this time, in milliseconds, even if it is still printing. */
export const SETTLED_MAX_MS = 2_000;

/**
 * The maximum number of times that a page that a model opens is loaded before the model gets a report, if the preview moves to
 * another element or the files change each time.
 */
export const LOADS_MAX = 5;

/**
 * The maximum number of times in a row that a page may navigate away by itself, within `HASTY_MS` of loading, before it is
 * stopped.
 */
export const SELF_RELOADS_MAX = 5;
/**
 * The time after loading, in milliseconds, within which a page that navigates away counts as doing so by itself, not by the
 * user.
 */
export const HASTY_MS = 1_000;

/** The maximum size of a page's substitutes for localStorage and sessionStorage, in characters each. */
export const STORED_MAX_CHARS = 1_000_000;

/** The time between a page's answer to a ping, or its loading, and the next ping, in milliseconds. */
export const PING_EVERY_MS = 2_000;
/** The time after which a page that has not answered a ping counts as stuck, in milliseconds. */
export const ANSWER_MAX_MS = 4_000;

/** The maximum number of pages that are offered to choose from. */
export const ENTRIES_MAX = 200;

/** The maximum number of problems of a running page that are shown. Those of its build are not counted. */
export const PROBLEMS_MAX = 50;

/** The maximum duration of the studio's own queries to a page, such as for its outline, in milliseconds. */
export const QUERY_TIMEOUT_MS = 5_000;
