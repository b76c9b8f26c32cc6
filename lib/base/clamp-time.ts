/** The latest time that a `Date` can hold, in milliseconds since the epoch. */
const LAST = 8.64e15;

/**
 * Limits an untrusted time, in milliseconds since the epoch, to what a `Date` can hold. Returns 0 for a negative time, and
 * for anything that is not a number.
 */
export const clampTime = (time: unknown): number =>
  typeof time === 'number' && !Number.isNaN(time) ? Math.min(Math.max(time, 0), LAST) : 0;
