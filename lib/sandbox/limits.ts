/**
 * The limits of the sandbox in one place; docs/SANDBOX.md explains them. The frame also limits what it sends.
 */

/** The maximum length of the code of an evaluation, in characters. */
export const CODE_MAX_CHARS = 1_000_000;

/** The time limit for parsing the code of an evaluation, in milliseconds; code that takes longer counts as invalid. */
export const COMPILE_TIMEOUT_MS = 5_000;

/** The time limit for the start of a frame, in milliseconds; the code's time limit starts after that. */
export const FRAME_START_TIMEOUT_MS = 10_000;

/** The most characters of one message from a frame, or a process with code; one that sends a longer message is closed. */
export const MESSAGE_MAX_CHARS = 7_000_000;

/** The most messages that a frame, or a process with code, may send in one second; with more, it is closed. */
export const MESSAGES_MAX_PER_SECOND = 2_000;

/**
 * The most characters that a frame, or a process with code, may send in one second, in all its messages; with more, it is
 * closed.
 */
export const CHARS_MAX_PER_SECOND = 16_000_000;

/**
 * The number of times that a hidden frame may grab the keyboard focus before it is closed. The studio takes the focus back
 * each time.
 */
export const FOCUS_TAKEN_MAX = 3;

/**
 * The number of times that a visible page may grab the keyboard focus before it is closed: many focus a field when they load.
 */
export const PAGE_FOCUS_TAKEN_MAX = 30;

/**
 * The time after the user's last key or pointer press in the studio for which they count as active there, in milliseconds.
 * Meanwhile, a previewed page may not take the keyboard focus, unless the user points at it or touches it.
 */
export const AT_WORK_MS = 5_000;

/**
 * The time after a key press in the studio, in milliseconds, during which the studio decides at once whether a page that gets
 * the keyboard focus may keep it (see `AT_WORK_MS`). Later, it first waits for up to `POINTER_KNOWN_MS`, because the user may
 * have clicked in the page.
 */
export const TYPING_MS = 300;

/** The longest delay before the studio's page learns that the user clicked or tapped in a frame, in milliseconds. */
export const POINTER_KNOWN_MS = 100;

/**
 * The number of messages that a previewed page may send directly to the studio's page, past its port, before it is closed.
 * They are all ignored.
 */
export const PAGE_STRAYS_MAX = 200;

/**
 * The most sessions for code that may be open at once. Opening another closes the least recently used one that is idle; if none
 * is, there are more for a while.
 */
export const SESSIONS_MAX = 6;

/**
 * The longest time for which a frame is kept busy to find out whether it blocks the thread of the studio's page, in
 * milliseconds.
 */
export const PROBE_MS = 80;

/** The time for which a frame is kept busy at the first try, in milliseconds. Each later try takes twice as long. */
export const PROBE_FIRST_MS = 20;

/** The number of turns of the page's event loop that show that it goes on while a frame is busy. */
export const PROBE_TURNS = 20;

/**
 * The number of times in a row that the studio's page must stand still while a frame is busy before the frame counts as
 * blocking the page's thread.
 */
export const PROBE_TRIES = 8;

/** The pause between two tries to find out whether a frame blocks the page's thread, in milliseconds. */
export const PROBE_PAUSE_MS = 30;

/** The most entries that a session's console keeps. */
export const CONSOLE_ENTRIES_MAX = 1_000;
