/** Largest file a tool reads as text, in bytes. */
export const TEXT_MAX_BYTES = 1_000_000;
