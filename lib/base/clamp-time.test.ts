import { expect, test } from 'vitest';
import { clampTime } from './clamp-time.ts';

test.each([
  [1_700_000_000_000, 1_700_000_000_000],
  [0, 0],
  [-1e300, 0],
  [1e300, 8.64e15],
  [Number.NEGATIVE_INFINITY, 0],
  [Number.POSITIVE_INFINITY, 8.64e15],
  [Number.NaN, 0],
  ['1', 0],
  [undefined, 0],
])('of the time %j, dates show %d', (time, clamped) => {
  expect(clampTime(time)).toBe(clamped);
  expect(() => new Date(clampTime(time)).toISOString()).not.toThrow();
});
