import { expect, test } from 'vitest';
import { fisher, wilson } from './stats.ts';

// The expected values are SciPy’s: binomtest(…).proportion_ci(method='wilson') and fisher_exact(…).
test.each([
  [21, 21, 0.8454, 1],
  [12, 27, 0.2759, 0.6269],
  [0, 15, 0, 0.2039],
  [18, 20, 0.699, 0.9721],
])('the interval of %i of %i', (right, total, low, high) => {
  const interval = wilson({ right, total });
  expect(interval[0]).toBeCloseTo(low, 3);
  expect(interval[1]).toBeCloseTo(high, 3);
});

test('without tries, nothing is known', () => {
  expect(wilson({ right: 0, total: 0 })).toEqual([0, 1]);
  expect(fisher({ right: 0, total: 0 }, { right: 3, total: 4 })).toBe(1);
});

test.each([
  [3, 4, 1, 4, 0.4857],
  [10, 15, 3, 15, 0.0253],
  [21, 21, 12, 27, 1.8822e-5],
  [5, 10, 5, 10, 1],
])('%i of %i against %i of %i', (right, total, otherRight, otherTotal, p) => {
  expect(fisher({ right, total }, { right: otherRight, total: otherTotal })).toBeCloseTo(p, 4);
  expect(fisher({ right: otherRight, total: otherTotal }, { right, total })).toBeCloseTo(p, 4);
});

test('many tries are no problem', () => {
  expect(fisher({ right: 4_000, total: 5_000 }, { right: 4_000, total: 5_000 })).toBeCloseTo(1, 6);
});
