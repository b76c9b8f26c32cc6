import fc from 'fast-check';
import { expect, test } from 'vitest';
import { borderBefore, endOf, startOf } from './cut-text.ts';

const FAMILY = '👨‍👩‍👧‍👦';

test.each<[string, string, number, string]>([
  ['plain text', 'hello', 3, 'hel'],
  ['a text that is short enough', 'hello', 5, 'hello'],
  ['half an emoji', 'a😀b', 2, 'a'],
  ['a family', `a${FAMILY}b`, 8, 'a'],
  ['an accent', 'cafe\u0301!', 4, 'caf'],
  ['a flag', '🇩🇪🇫🇷', 6, '🇩🇪'],
  ['a line end of Windows', 'a\r\nb', 2, 'a'],
  ['Korean', '\u1112\u1161\u11ab글', 2, ''],
  ['nothing', 'abc', 0, ''],
])('%s is cut between characters', (_, text, max, start) => {
  expect(startOf(text, max)).toBe(start);
});

test('the end of a text begins with a whole character', () => {
  expect(endOf(`x${FAMILY}`, 3)).toBe(FAMILY);
  expect(endOf('hello', 2)).toBe('lo');
  expect(endOf('hello', 9)).toBe('hello');
});

test('a pile of accents is cut anywhere, but not within a code point', () => {
  const pile = `a${'\u0301'.repeat(1_000)}`;
  expect(startOf(pile, 500)).toHaveLength(500);
  expect(startOf(`😀${'\u{1F3FD}'.repeat(200)}`, 201).isWellFormed()).toBe(true);
});

test('whatever is cut, both parts are well-formed, and together they are the text', () => {
  const text = fc
    .array(fc.constantFrom('a', ' ', '\r', '\n', '😀', FAMILY, 'é', '\u0301', '🇩🇪', '한', '\u200d', 'م'))
    .map((all) => all.join(''));
  void fc.assert(
    fc.property(text, fc.nat(60), (whole, at) => {
      const border = borderBefore(whole, at);
      expect(border).toBeLessThanOrEqual(Math.min(at, whole.length));
      expect(whole.slice(0, border).isWellFormed() && whole.slice(border).isWellFormed()).toBe(true);
    }),
  );
});
