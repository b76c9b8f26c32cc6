/** Largest file that a tool reads as a whole text, in bytes. */
export const TEXT_MAX_BYTES = 1_000_000;

/** Largest text file of which a model can read parts, in bytes. */
export const PARTS_MAX_BYTES = 20_000_000;

/** Largest part of a text that a model gets at once, if it reads a file in parts, in characters. */
export const PART_CHARACTERS = 100_000;
