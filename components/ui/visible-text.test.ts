import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test.each([
  ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
  ['a control', 'a\u0000b', 'a\\u0000b'],
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a tag', `a${String.fromCodePoint(0xe0041)}`, 'a\\ue0041'],
  ['a further variation selector', `a${String.fromCodePoint(0xe0100)}`, 'a\\ue0100'],
  ['a filler', 'a\u3164b', 'a\\u3164b'],
  ['a second joiner', 'a\u200d\u200db', 'a\u200d\\u200db'],
  ['a second selector', 'a\ufe0f\ufe0f', 'a\ufe0f\\ufe0f'],
])('%s is shown', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each(['a\n\tb\r\n', '👨\u200d👩\u200d👧', '❤\ufe0f', 'می\u200cخواهم', '工作室'])('%s stays as it is', (text) => {
  expect(visibleText(text)).toBe(text);
});
