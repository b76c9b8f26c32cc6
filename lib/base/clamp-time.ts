/** The latest time that a `Date` can hold, in milliseconds since the epoch. */
const LAST = 8.64e15;

/** Limits a time from outside, in milliseconds since the epoch, to what a `Date` can hold; 0 if it is negative or no number. */
export const clampTime = (time: unknown): number =>
  typeof time === 'number' && !Number.isNaN(time) ? Math.min(Math.max(time, 0), LAST) : 0;
