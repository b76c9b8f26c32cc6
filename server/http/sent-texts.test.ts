import { expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { SentTexts } from './sent-texts.ts';

test('texts are found by hash, and each is stored once', async () => {
  const contents = new SentTexts(10_000);
  for (const text of ['a', 'b', 'a']) await contents.add(text);
  expect(contents.find(await sha256('a'))).toBe('a');
  expect(contents.find(await sha256('c'))).toBeUndefined();
  // A short text takes more than its characters.
  expect(contents.bytes).toBe(2 * 402);
});

test('when space runs out, the least recently used texts are evicted', async () => {
  const contents = new SentTexts(900);
  const texts = ['first text', 'other text'];
  for (const text of texts) await contents.add(text);
  contents.find(await sha256('first text'));
  await contents.add('third text');
  expect(contents.find(await sha256('first text'))).toBe('first text');
  expect(contents.find(await sha256('other text'))).toBeUndefined();
  expect(contents.bytes).toBeLessThanOrEqual(900);
});

test('a text larger than the whole store is not stored', async () => {
  const contents = new SentTexts(10);
  await contents.add('much longer than that');
  expect(contents.bytes).toBe(0);
});
