import { describe, expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { CONTENT_MIN_CHARACTERS, fillContents, nameContents } from './contents.ts';

const LONG = 'x'.repeat(CONTENT_MIN_CHARACTERS);

async function roundTrip(value: unknown) {
  const named = await nameContents(value);
  const sent = JSON.parse(JSON.stringify(named.value));
  return { ...named, filled: fillContents(sent, (name) => named.contents.get(name)) };
}

describe('long texts of a request', () => {
  test('are referenced by name, each sent once, and restored', async () => {
    const value = { list: [LONG, { text: LONG, other: `${LONG}y` }], short: 'text', n: 1, none: null };
    const { value: named, contents, filled } = await roundTrip(value);
    expect(contents.size).toBe(2);
    expect(JSON.stringify(named).length).toBeLessThan(500);
    expect(filled).toEqual({ value, missing: [], length: 3 * LONG.length + 1 });
  });

  test.each([
    { $content: 'of the model’s own' },
    { $content: null, $object: { a: 1 } },
    { data: { $content: { $content: 'x' } } },
    [{ $content: LONG, $object: LONG }],
    JSON.parse('{"__proto__": {"a": 1}}'),
  ])('data that looks like a reference stays data: %j', async (value) => {
    const { filled } = await roundTrip(value);
    expect(filled.value).toEqual(value);
  });

  test('that are unknown are listed as missing, each once', async () => {
    const { value } = await nameContents([LONG, LONG]);
    expect(fillContents(value, () => undefined).missing).toEqual([await sha256(LONG)]);
  });
});
