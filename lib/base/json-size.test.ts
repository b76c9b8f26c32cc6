import { expect, test } from 'vitest';
import { excessOf } from './json-size.ts';

const SIZE = { depth: 2, values: 5 };

test.each<[unknown, 'depth' | 'values' | undefined]>([
  [1, undefined],
  [null, undefined],
  [[[1]], undefined],
  [[[[1]]], 'depth'],
  [{ a: { b: {} } }, undefined],
  [{ a: { b: { c: 1 } } }, 'depth'],
  [[1, 2, 3, 4], undefined],
  [[1, 2, 3, 4, 5], 'values'],
])('%j: %s', (value, excess) => {
  expect(excessOf(value, SIZE)).toBe(excess);
});

test('no depth is a way to crash', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(excessOf(deep, { depth: 1_000_000, values: 1_000_000 })).toBeUndefined();
  expect(excessOf(deep, { depth: 100_000, values: 1_000_000 })).toBe('depth');
});
