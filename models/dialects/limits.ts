/** The most that is read of a body that is not a reply, in bytes. */
export const BODY_MAX_BYTES = 16_777_216;

/** The longest event of a stream, in characters: a whole completion may come as one. */
export const EVENT_MAX_CHARACTERS = 16_777_216;

/** The most that is read of the body of an error, in characters. */
export const ERROR_MAX_CHARACTERS = 65_536;

/**
 * The time that a reply whose end was named waits for its usage, in milliseconds: some connections are never closed, and some
 * servers go on although they have named the end.
 */
export const CUT_AFTER_FINISH_MS = 15_000;

/** The most corrections of one request that are tried. */
export const CORRECTION_ROUNDS_MAX = 3;

/** The most servers and models whose corrections are remembered. */
export const CORRECTED_SERVERS_MAX = 1_000;

/** The most of OpenRouter's details about thoughts that goes back with a call, in characters. */
export const DETAILS_MAX_CHARACTERS = 200_000;

/** The most that is held back of calls whose form is not certain yet, in characters. */
export const HELD_MAX_CHARACTERS = 2_000_000;

/** The most calls of one reply that are read, and the longest name of one, in characters. */
export const CALLS_MAX = 1_000;
export const NAME_MAX_CHARACTERS = 256;

/** The part of an error that is searched for what a server refuses, in characters. */
export const REFUSAL_MAX_CHARACTERS = 4_000;
