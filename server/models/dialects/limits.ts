/** What is read of a body that is no reply, in bytes. */
export const BODY_MAX_BYTES = 16_777_216;

/** The longest event of a stream, in characters: a whole completion may come as one. */
export const EVENT_MAX_CHARACTERS = 16_777_216;

/** What is read of the body of an error, in characters. */
export const ERROR_MAX_CHARACTERS = 65_536;

/**
 * How long a reply whose end was named waits for its usage, in milliseconds: some connections are never closed, and some
 * servers go on although they have named the end.
 */
export const CUT_AFTER_FINISH_MS = 15_000;

/** How many corrections of one request are tried. */
export const CORRECTION_ROUNDS_MAX = 3;

/** Of how many servers and models it is remembered what they refuse. */
export const CORRECTED_SERVERS_MAX = 1_000;

/** How much of calls is held back because it is not certain what it is, in characters. */
export const HELD_MAX_CHARACTERS = 2_000_000;

/** How many calls of one reply are read, and how long their names may be, in characters. */
export const CALLS_MAX = 1_000;
export const NAME_MAX_CHARACTERS = 256;

/** What is read of an error to find out what a server refuses, in characters. */
export const REFUSAL_MAX_CHARACTERS = 4_000;
