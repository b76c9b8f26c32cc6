import { expect, test } from 'vitest';
import { HEAVY_TEXT, isHeavy } from './heavy-text.ts';

const { whole, line, long, sum } = HEAVY_TEXT;
const longest = 'x'.repeat(line);
const normal = 'x'.repeat(long);

test.each([
  ['', false],
  [longest, false],
  [`${longest}x`, true],
  [`a\n${longest}\nb`, false],
  [`a\n${longest}x`, true],
  [`${longest}x\nb`, true],
  [`${longest}\n`.repeat(sum / line), false],
  [`${longest}\n`.repeat(sum / line + 1), true],
  [`${normal}\n`.repeat(sum / long + 1), false],
  ['x\n'.repeat(whole / 2), false],
  [`${'x\n'.repeat(whole / 2)}x`, true],
])('text %#', (text, expected) => expect(isHeavy(text)).toBe(expected));
