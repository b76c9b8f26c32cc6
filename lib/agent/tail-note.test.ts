import type { ModelMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { withTailNote } from './tail-note.ts';

const result = (output: object) => ({ type: 'tool-result', toolCallId: 'c', toolName: 't', output });
const lastOf = (message: object) => withTailNote([message as ModelMessage], 'Stop.').at(-1);

describe('a note at the end of a prompt', () => {
  test('is a part of the last result, whatever its form', () => {
    const noted = (output: object) =>
      lastOf({ role: 'tool', content: [result({ type: 'text', value: 'a' }), result(output)] });
    const first = result({ type: 'text', value: 'a' });
    expect(noted({ type: 'text', value: 'b' })).toEqual({
      role: 'tool',
      content: [first, result({ type: 'text', value: 'b\n\n[Note: Stop.]' })],
    });
    expect(noted({ type: 'error-text', value: 'b' })).toEqual({
      role: 'tool',
      content: [first, result({ type: 'error-text', value: 'b\n\n[Note: Stop.]' })],
    });
    const text = { type: 'text', text: 'b' };
    expect(noted({ type: 'content', value: [text] })).toEqual({
      role: 'tool',
      content: [first, result({ type: 'content', value: [text, { type: 'text', text: '[Note: Stop.]' }] })],
    });
  });

  test('follows a question in the same message, and an answer in one of its own', () => {
    const question = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
    expect(lastOf(question)).toMatchObject({ role: 'user', content: [{ text: 'Hi' }, { text: 'Stop.' }] });
    expect(lastOf({ role: 'assistant', content: 'Hi' })).toMatchObject({ role: 'user', content: [{ text: 'Stop.' }] });
  });

  test('changes nothing without a text', () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }];
    expect(withTailNote(messages, '')).toEqual(messages);
  });
});
