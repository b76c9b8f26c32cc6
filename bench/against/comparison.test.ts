import { expect, test } from 'vitest';
import { intervalOf } from './comparison.ts';

test.each([
  [5, 'too few'],
  [6, '1.00–6.00'],
  [10, '2.00–9.00'],
  [15, '4.00–12.00'],
  [100, '40.00–61.00'],
])('the median of %d values lies between these with 95 %%: %s', (count, interval) => {
  expect(intervalOf(Array.from({ length: count }, (_, index) => count - index))).toBe(interval);
});
