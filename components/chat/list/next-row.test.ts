import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import { nextRow } from './next-row.ts';

/** Questions and answers in turn: rows 0, 2, 4 and 6 are questions. */
const branch = Array.from(
  { length: 8 },
  (_, index): Message =>
    index % 2 === 0
      ? { id: `m${index}`, role: 'user', createdAt: 1, parts: [] }
      : { id: `m${index}`, role: 'assistant', createdAt: 1, parts: [], status: { type: 'done' } },
);

const at = (focused: number, top = 0, isCut = false) => ({ focused, top, isCut });

describe('message by message', () => {
  test.each([
    ['down from a row', at(3), 1, 4],
    ['up from a row', at(3), -1, 2],
    ['down from the last row', at(7), 1, 7],
    ['up from the first row', at(0), -1, 0],
    ['up without the focus', at(-1), -1, 7],
    ['down without the focus', at(-1), 1, 0],
  ] as const)('%s', (_, position, step, expected) => {
    expect(nextRow(branch, position, step)).toBe(expected);
  });

  test('there is nowhere to go in an empty thread', () => {
    expect(nextRow([], at(-1), 1)).toBeUndefined();
  });
});

describe('question by question', () => {
  test.each([
    ['up from an answer', at(3), -1, 2],
    ['up from a question', at(4), -1, 2],
    ['down from an answer', at(3), 1, 4],
    ['down from a question', at(4), 1, 6],
    ['up from the first question', at(0), -1, undefined],
    ['down from the last answer', at(7), 1, undefined],
    ['up from what is in view', at(-1, 5), -1, 4],
    ['down from what is in view', at(-1, 5), 1, 6],
    ['up to a question that is cut at the top', at(-1, 4, true), -1, 4],
    ['up from a question that begins at the top', at(-1, 4, false), -1, 2],
  ] as const)('%s', (_, position, step, expected) => {
    expect(nextRow(branch, position, step, 'questions')).toBe(expected);
  });
});
