import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { formOf } from './form-of.ts';

test.each([
  ['<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>', '<tool_call>'],
  ['Sure:\n\n[save(title="x")]', 'name(argument=…)'],
  ['```json\n{ "name" : "a"}\n```', 'JSON'],
  ['I would call save with a title.', undefined],
])('%j', (text, form) => {
  expect(formOf(text)).toBe(form);
});

// A pattern that backtracks would take minutes, and block the server for as long.
test.each(['\n', ' ', '[ ', 'a', '{ ', 'functools ', '\ta(\t', '\n ['])(
  'a text of %j only is looked at in no time',
  (piece) => {
    const look = { formOf, text: piece.repeat(20_000) };
    expect(runInNewContext('formOf(text)', look, { timeout: 10_000 })).toBeUndefined();
  },
);
