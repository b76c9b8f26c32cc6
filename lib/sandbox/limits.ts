/** Limits of the sandbox, in one place; docs/ARCHITECTURE.md explains them. What the frame sends is bounded there too. */

/** The longest code that is run, in characters. */
export const CODE_MAX_CHARS = 1_000_000;

/** How long reading code may take before it counts as unreadable. */
export const COMPILE_TIMEOUT_MS = 5_000;

/** How long a frame may take to be there; the time for the code counts from then on. */
export const FRAME_START_TIMEOUT_MS = 10_000;

/** A frame that sends a longer message, or more of them in a second, is ended. */
export const MESSAGE_MAX_CHARS = 7_000_000;
export const MESSAGES_MAX_PER_SECOND = 2_000;
export const CHARS_MAX_PER_SECOND = 16_000_000;

/** How often a frame may take the keyboard, which it has to give back at once. */
export const FOCUS_TAKEN_MAX = 3;

/** The same for a page that people see: many put the cursor into a field when they load. */
export const PAGE_FOCUS_TAKEN_MAX = 30;

/** Somebody who has used the studio so many milliseconds ago is at work in it: no page may take the keyboard then. */
export const AT_WORK_MS = 5_000;

/** Somebody who has pressed a key so many milliseconds ago is in the middle of writing, and not about to click elsewhere. */
export const TYPING_MS = 300;

/** How long it may take until the page knows that the pointer was pressed in a frame. */
export const POINTER_KNOWN_MS = 100;

/** Messages that a page may send to its parent, which are ignored; one more ends it. */
export const PAGE_STRAYS_MAX = 200;

/** Sessions that are open at once; the one unused for longest is ended for another. */
export const SESSIONS_MAX = 6;

/** How long a frame is kept busy to see whether the page's thread is, too, how often this is tried, and with what pause. */
export const PROBE_MS = 80;
export const PROBE_TRIES = 8;
export const PROBE_PAUSE_MS = 30;

/** What a session's console keeps, the newest. */
export const CONSOLE_ENTRIES_MAX = 1_000;
