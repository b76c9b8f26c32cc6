import { expect, test } from 'vitest';
import { pieces } from './pieces.ts';

const ALL = Number.POSITIVE_INFINITY;

test.each([
  ['spaces', 'some words '.repeat(5_000)],
  ['no spaces', 'x'.repeat(30_000)],
  ['pairs', '\u{1f600}'.repeat(10_001)],
])('text with %s is cut without losing anything', (_, text) => {
  const found = pieces(text, 5_000, ALL);
  expect(found.length).toBeGreaterThan(3);
  expect(found.join('')).toBe(text);
  for (const piece of found) {
    expect(piece.length).toBeLessThanOrEqual(5_000);
    expect(piece.isWellFormed()).toBe(true);
  }
});

test('where a piece ends with a line, the line break is the end of the piece', () => {
  const text = 'a line\n'.repeat(5_000);
  expect(pieces(text, 1_000, ALL).join('\n')).toBe(text.trimEnd());
});

test('no more pieces are cut than asked for', () => {
  expect(pieces('x'.repeat(100_000), 1_000, 3)).toHaveLength(3);
});
