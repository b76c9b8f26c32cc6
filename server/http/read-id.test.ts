import { expect, test } from 'vitest';
import { readId } from './read-id.ts';

test('the id of a thread is read from an address', () => {
  expect(readId('0b0e8f5a-2c1d-4e7a-9f3b-6a5d4c3b2a19')).toBe('0b0e8f5a-2c1d-4e7a-9f3b-6a5d4c3b2a19');
});

test.each(['', '\0', 'a/b', '..', 'x'.repeat(65), 'ä'])('%j is none', (text) => {
  expect(() => readId(text)).toThrow(expect.objectContaining({ status: 400, code: 'invalid-id' }));
});
