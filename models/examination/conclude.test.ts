import { describe, expect, test } from 'vitest';
import type { Finding } from '#lib/wire/examination.ts';
import { conclude } from './conclude.ts';

const WORKS: Finding[] = [
  { check: 'tools', code: 'kept' },
  { check: 'call', code: 'native' },
  { check: 'result', code: 'answered' },
];

describe('a window', () => {
  test.each([
    ['said', 32_768, 32_768],
    ['cut', 4_096, 4_096],
    ['said', 1e12, undefined],
    ['reached', 12_345.6, undefined],
    ['refused-longer', 3, undefined],
    ['cut', 'many', undefined],
  ])('that was %s to be %s is recommended as %s', (code, value, recommended) => {
    const { verdict, use } = conclude({
      findings: [...WORKS, { check: 'window', code, value }],
      protocol: undefined,
    });
    expect(verdict).toBe('native');
    expect(use.contextSize).toBe(recommended);
  });
});
