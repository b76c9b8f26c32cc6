import { describe, expect, test } from 'vitest';
import { commonEnding, hasUniformEndings, withEndingsOf } from './line-endings.ts';

test.each([
  ['', '\n', true],
  ['a\nb\n', '\n', true],
  ['a\r\nb\r\n', '\r\n', true],
  ['#!/bin/sh\necho a\r\necho b\n', '\n', false],
  ['a\r\nb\r\nc\n', '\r\n', false],
  ['a\rb\rc', '\r', false],
])('%j', (text, common, isUniform) => {
  expect(commonEnding(text)).toBe(common);
  expect(hasUniformEndings(text)).toBe(isUniform);
});

describe('a text that was edited', () => {
  test.each([
    [
      'one stray line ending stays',
      '#!/bin/sh\necho a\r\necho b\n',
      '#!/bin/sh\necho a\necho bZ\n',
      '#!/bin/sh\necho a\r\necho bZ\n',
    ],
    ['cells of a CSV', 'a,"x\ny"\r\nb,c\r\n', 'a,"x\r\ny"\r\nb,c\r\nd,e\r\n', 'a,"x\ny"\r\nb,c\r\nd,e\r\n'],
    ['of an old Mac', 'a\rb\rc', 'a\nb\nZ\nc', 'a\rb\rZ\rc'],
    ['lines that are removed in the middle', 'a\nb\r\nc\nd\r\n', 'a\nd\n', 'a\nd\r\n'],
    ['changes at several places', 'a\nb\r\nc\nd\r\ne\n', 'A\nb\nx\nc\nd\nE\n', 'A\nb\r\nx\r\nc\nd\r\nE\n'],
    ['a last line that gets an ending', 'a\r\nb\nc\r\nd', 'a\nb\nc\nd\n', 'a\r\nb\nc\r\nd\r\n'],
    ['everything', 'a\r\nb\nc\r\n', '', ''],
  ])('%s', (_, original, text, expected) => {
    expect(withEndingsOf(original, text)).toBe(expected);
  });

  test('nothing changed: the text as it was', () => {
    const original = Array.from({ length: 5_000 }, (__, n) => `line ${n % 7}${['\n', '\r\n', '\r'][n % 3]}`).join('');
    expect(withEndingsOf(original, original.replace(/\r\n|\r/g, '\n'))).toBe(original);
  });
});
