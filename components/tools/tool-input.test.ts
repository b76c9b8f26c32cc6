import { expect, test } from 'vitest';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { readableInput } from './tool-input.ts';

const inputOf = (part: Partial<ToolCallPart>) => Object.fromEntries(readableInput(part as ToolCallPart));

test.each([
  ['complete', { input: { a: 1 }, inputText: '{"b":2}' }, { a: 1 }],
  ['on their way', { inputText: '{"path":"/sr' }, { path: '/sr' }],
  [
    'refused for a number that would change',
    { inputText: '{"id":12345678901234567890}' },
    { id: '12345678901234567890' },
  ],
  ['missing', {}, {}],
])('arguments that are %s can be read', (_, part, input) => {
  expect(inputOf(part)).toEqual(input);
});
