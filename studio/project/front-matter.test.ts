import { describe, expect, test } from 'vitest';
import { frontMatterOf } from './front-matter.ts';

describe('front matter that nobody has looked at does not hold up the page', () => {
  test.each([
    '? '.repeat(3_900),
    '[? '.repeat(2_600),
    '{? '.repeat(2_600),
    `${'[? '.repeat(160)}${']'.repeat(160)}`,
    `[${','.repeat(7_800)}`,
    '['.repeat(7_900),
  ])('%#', (front) => {
    const startedAt = performance.now();
    expect(frontMatterOf(`---\n${front}\n---\nBody`)).toEqual({ values: {}, body: 'Body', fault: expect.any(String) });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

test('what was read is not read again while it stays the same', () => {
  const text = '---\ndescription: once\n---\nOne.';
  const { values } = frontMatterOf(text);
  expect(frontMatterOf('---\ndescription: once\n---\nAnother.').values).toBe(values);
  expect(frontMatterOf('---\ndescription: twice\n---\nOne.').values).not.toBe(values);
});
