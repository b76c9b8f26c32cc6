/** Limits of the preview, in one place; docs/ARCHITECTURE.md explains them. */

/** The largest file that goes into a page, in bytes. */
export const PAGE_FILE_MAX_BYTES = 20_000_000;

/** The largest file that goes to the bundler as soon as it is found, in bytes. */
export const FOUND_MAX_BYTES = 100_000;

/** The most that a page's scripts and styles may come to, in characters. */
export const PAGE_MAX_CHARS = 60_000_000;

/** How long a build may take. */
export const BUILD_TIMEOUT_MS = 30_000;

/** How long a page may take until it is loaded; one that takes longer is ended. */
export const LOAD_TIMEOUT_MS = 10_000;

/** How long files must have been left alone before a page is built anew. */
export const REBUILD_DELAY_MS = 60;

/** A page that is loaded counts as settled when it has printed nothing for so long, or after the longer time. */
export const SETTLED_MS = 300;
export const SETTLED_MAX_MS = 2_000;

/** How often a page may send itself elsewhere within so many milliseconds after it was loaded, one time after the other. */
export const SELF_RELOADS_MAX = 5;
export const HASTY_MS = 1_000;

/** What a page may keep in its stand-ins for localStorage and sessionStorage, in characters each. */
export const STORED_MAX_CHARS = 1_000_000;

/** How often a page is asked whether it still answers, and how long it may take until it counts as stuck. */
export const PING_EVERY_MS = 2_000;
export const ANSWER_MAX_MS = 4_000;

/** Pages that the person can choose from. */
export const ENTRIES_MAX = 200;

/** Problems that are shown of one page. */
export const PROBLEMS_MAX = 50;

/** How long the studio’s own look at a page may take. */
export const QUERY_TIMEOUT_MS = 5_000;
