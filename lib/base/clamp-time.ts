/** The last time that a date can have, in milliseconds since the epoch. */
const LAST = 8.64e15;

/** A time from outside, in milliseconds since the epoch, as one that every date can show; 0 if it is no number. */
export const clampTime = (time: unknown): number =>
  typeof time === 'number' && !Number.isNaN(time) ? Math.min(Math.max(time, 0), LAST) : 0;
