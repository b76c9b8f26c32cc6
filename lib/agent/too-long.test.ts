import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedWindow, saysTooLong, WINDOW_MIN } from './too-long.ts';

/** An error message of a server, from public reports. */
interface Wording {
  status: number | null;
  text: string;
  server: string;
  source: string;
  window?: number | null;
}

const { tooLong, other } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'test/error-wordings.json'), 'utf8'),
) as Record<'tooLong' | 'other', Wording[]>;

describe('a prompt that is too long', () => {
  test.each(tooLong)('$server: $text', ({ text, window = null }) => {
    expect(saysTooLong(text)).toBe(true);
    expect(namedWindow(text)).toBe(window === null || window < WINDOW_MIN ? undefined : window);
  });
});

describe('an error that is not about the prompt’s length', () => {
  test.each(other)('$server: $text', ({ text }) => expect(saysTooLong(text)).toBe(false));
});
