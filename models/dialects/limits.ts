/** The most that is read of a reply that is not a stream, and of a body in which no reply has begun, in bytes. */
export const BODY_MAX_BYTES = 16_777_216;

/** The longest event of a stream, in characters: a whole completion may come as one. */
export const EVENT_MAX_CHARACTERS = 16_777_216;

/** The most that is read of the body of an error, in characters. */
export const ERROR_MAX_CHARACTERS = 65_536;

/**
 * The longest wait for the next bytes of a reply that has named its end, in milliseconds: its usage may still come, but some
 * servers never close the connection. After that, the reply counts as ended.
 */
export const CUT_AFTER_FINISH_MS = 15_000;

/** The maximum number of corrections that are tried for one request. */
export const CORRECTION_ROUNDS_MAX = 3;

/** The maximum number of combinations of an address, a model, and a key for which corrections of requests are remembered. */
export const REMEMBERED_CORRECTIONS_MAX = 1_000;

/**
 * The most characters of OpenRouter's details about a model's thoughts that go back to it with the calls that they led to. If
 * there are more, none go back.
 */
export const DETAILS_MAX_CHARACTERS = 200_000;

/**
 * The most characters of arguments of native tool calls that are held back in one reply: those that do not begin as a JSON
 * object, and those of calls without a name so far. With more, the reply fails.
 */
export const HELD_MAX_CHARACTERS = 2_000_000;

/** The most calls of one reply that are read; the rest is left out. */
export const CALLS_MAX = 1_000;
/** The longest name of a call, in characters; the rest is cut. */
export const NAME_MAX_CHARACTERS = 256;

/** The number of characters of an error, from its beginning, in which the refused part of a request is looked for. */
export const REFUSAL_MAX_CHARACTERS = 4_000;
