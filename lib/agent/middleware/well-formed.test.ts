import { expect, test } from 'vitest';
import { wellFormed } from './well-formed.ts';

test('halves of characters are replaced wherever they are', () => {
  const bytes = new Uint8Array([1]);
  const prompt = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a\ud83d' },
        { type: 'file', data: bytes },
      ],
    },
    { role: 'tool', content: [{ output: { 'k\ude00': ['\ud83d\ude00', null, 1] } }] },
  ];
  expect(wellFormed(prompt)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a\ufffd' },
        { type: 'file', data: bytes },
      ],
    },
    { role: 'tool', content: [{ output: { 'k\ufffd': ['\ud83d\ude00', null, 1] } }] },
  ]);
});

test('what is well-formed stays the same value', () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: '😀' }] }];
  expect(wellFormed(prompt)).toBe(prompt);
});
