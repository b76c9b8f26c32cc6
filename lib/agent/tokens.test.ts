import { describe, expect, test } from 'vitest';
import { estimateTokens, UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import { promptBudget } from './tokens.ts';

describe('the estimate of tokens', () => {
  test('an empty text is 0 tokens, and a single letter is already one', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a')).toBe(1);
  });

  test('English is not underestimated: at least one token per word and one for the period', () => {
    expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBeGreaterThanOrEqual(10);
  });

  test('Chinese and emoji count for much more than their number of characters suggests', () => {
    expect(estimateTokens('一千以内所有质数的和')).toBe(10);
    expect(estimateTokens('😀')).toBe(2);
  });

  test('a text never counts less than any of its parts', () => {
    const text = 'ab 你好 \u{1f600} \ud800 c';
    for (let end = 1; end <= text.length; end++) {
      expect(estimateTokens(text.slice(0, end))).toBeGreaterThanOrEqual(estimateTokens(text.slice(0, end - 1)));
    }
  });
});

describe('the budget of a prompt', () => {
  test('[R16] an unknown context counts as 8,000 tokens, of which a quarter is reserved for the answer', () => {
    expect(UNKNOWN_CONTEXT_TOKENS).toBe(8_000);
    expect(promptBudget(undefined, undefined)).toBe(6_000);
  });

  test('a large context reserves no more than an answer needs', () => {
    expect(promptBudget(200_000, undefined)).toBe(200_000 - 8_192);
  });

  test('a limit on the answer leaves more for the prompt, never less', () => {
    expect(promptBudget(200_000, 1_000)).toBe(199_000);
    expect(promptBudget(8_000, 50_000)).toBe(6_000);
  });
});
