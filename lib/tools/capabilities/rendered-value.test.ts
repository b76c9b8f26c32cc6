import { describe, expect, test } from 'vitest';
import {
  javaScriptOutcomeSchema,
  lineText,
  type RenderedValue,
  renderedValueSchema,
  valueText,
} from './rendered-value.ts';

const text = (of: string): RenderedValue => ({ type: 'text', text: of });
const string = (of: string, length = of.length): RenderedValue => ({ type: 'string', text: of, length });

describe('a value of the sandbox as text', () => {
  test.each<[string, RenderedValue, string]>([
    ['a number', text('1'), '1'],
    ['a top-level string is not quoted', string('a "b"\n'), 'a "b"\n'],
    ['a string that was cut off', string('ab', 9), 'ab… [cut at 2 of 9 characters]'],
    [
      'nested strings are quoted',
      { type: 'object', label: '', open: '[', entries: [[null, string('a"')]], more: 0 },
      '["a\\""]',
    ],
    [
      'an object with each kind of key',
      {
        type: 'object',
        label: 'Point ',
        open: '{',
        entries: [
          ['x', text('1')],
          ['"a-b"', text('2')],
        ],
        more: 3,
      },
      'Point {x: 1, "a-b": 2, … 3 more}',
    ],
    [
      'a Map',
      { type: 'object', label: 'Map(1) ', open: '{', entries: [[string('k'), text('1')]], more: 0 },
      'Map(1) {"k" => 1}',
    ],
    ['a value nested too deeply', { type: 'object', label: '', open: '{', entries: [], more: 2 }, '{…}'],
    ['an empty list', { type: 'object', label: '', open: '[', entries: [], more: 0 }, '[]'],
    ['an element', { type: 'html', text: '<p></p>', length: 7 }, '<p></p>'],
    ['a canvas', { type: 'image', url: 'data:image/png;base64,AA==', width: 4, height: 2 }, '<canvas 4×2>'],
  ])('%s', (_, value, expected) => {
    expect(valueText(value)).toBe(expected);
  });

  test('invisible characters, and those that change the text direction, are escaped', () => {
    expect(valueText(string('a\u202eb\u0007c\u200bd'))).toBe('a\\u{202e}b\\u{7}c\\u{200b}d');
    expect(valueText(text('a\tb\n\ud83d\ude00'))).toBe('a\tb\n\ud83d\ude00');
    expect(lineText({ level: 'warn', values: [string('\u001b[31mred'), text('1')] })).toBe('[warn] \\u{1b}[31mred 1');
  });
});

describe('data from the sandbox', () => {
  test.each([
    { type: 'image', url: 'https://evil.example/x.png', width: 1, height: 1 },
    { type: 'image', url: 'data:image/svg+xml;base64,AA==', width: 1, height: 1 },
    { type: 'object', label: '', open: '{', entries: [['a']], more: 0 },
    { type: 'object', label: '', open: '<', entries: [], more: 0 },
    { type: 'string', text: 'a', length: -1 },
    { type: 'html' },
    { type: 'other', text: '' },
    null,
    'text',
  ])('%j is not a value', (value) => {
    expect(renderedValueSchema.safeParse(value).success).toBe(false);
  });

  test('a stored outcome from an earlier version does not pass as a current one', () => {
    expect(javaScriptOutcomeSchema.safeParse({ value: '5', console: [{ level: 'log', text: 'x' }] }).success).toBe(
      false,
    );
    const outcome = { value: text('5'), console: [{ level: 'log', values: [string('x')] }] };
    expect(javaScriptOutcomeSchema.parse(outcome)).toEqual(outcome);
  });
});
