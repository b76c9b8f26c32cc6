import { expect, test } from 'vitest';
import type { Message } from './message.ts';
import { damageOf, readable, withDamage } from './readable.ts';

const whole: Message = {
  id: 'a',
  role: 'assistant',
  createdAt: 1,
  status: { type: 'done' },
  parts: [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Hello' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'read_file', inputState: 'complete', input: {} },
  ],
};

test('a whole message is given as it is', () => {
  expect(readable('a', whole)).toBe(whole);
  expect(damageOf(whole)).toBeUndefined();
});

test('a message with a time that no date has is whole, and is given with the nearest one', () => {
  for (const [createdAt, shown] of [[-1e300, 0] as const, [1e300, 8.64e15] as const]) {
    const message = readable('a', { ...whole, createdAt });
    expect(message).toEqual({ ...whole, createdAt: shown });
    expect(damageOf(message)).toBeUndefined();
  }
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['no parts', { ...whole, parts: undefined }],
  ['parts that are no list', { ...whole, parts: { 0: 'x' } }],
  ['a part that is null', { ...whole, parts: [null] }],
  ['a part of an unknown type', { ...whole, parts: [{ type: 'surprise' }] }],
  ['a text that is none', { ...whole, parts: [{ type: 'text', text: 7 }] }],
  ['a call without a name', { ...whole, parts: [{ type: 'tool-call', toolCallId: 'c' }] }],
  [
    'a result without an output',
    { ...whole, parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', result: { type: 'tool-result' } }] },
  ],
  ['a file without an address', { ...whole, role: 'user', parts: [{ type: 'file' }] }],
  ['a part that only answers have', { ...whole, role: 'user', parts: [{ type: 'reasoning', text: 'x' }] }],
  ['a part that only questions have', { ...whole, parts: [{ type: 'file', url: 'data:,x', mediaType: 'text/plain' }] }],
  ['the id of another message', { ...whole, id: 'b' }],
  [
    'a result whose content has holes',
    {
      ...whole,
      parts: [
        {
          type: 'tool-call',
          toolCallId: 'c',
          toolName: 't',
          result: { type: 'tool-result', toolCallId: 'c', toolName: 't', output: { content: [null] } },
        },
      ],
    },
  ],
  ['an unknown status', { ...whole, status: { type: 'odd' } }],
  ['an unknown role', { ...whole, role: 'system' }],
])('a message with %s is replaced, and says what was stored', (_, stored) => {
  const message = readable('a', stored);
  expect(message).toMatchObject({ id: 'a', parts: [] });
  expect(damageOf(message)).toBe(String(JSON.stringify(stored)));
  expect(withDamage(message).parts).toEqual([{ type: 'text', text: String(JSON.stringify(stored)) }]);
});

test('a damaged message of the user stays one', () => {
  expect(readable('u', { role: 'user', createdAt: 7, parts: 'x' })).toEqual({
    id: 'u',
    role: 'user',
    createdAt: 7,
    parts: [],
  });
});

test('what cannot be written as JSON is named', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(damageOf(readable('a', cycle))).toBe('[object Object]');
});
