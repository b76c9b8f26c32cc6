import { describe, expect, test } from 'vitest';
import { PROVIDERS } from '#models/providers/providers.ts';
import { costOf, entryIn, type PriceTable, priceIn } from './prices.ts';
import json from './table.json' with { type: 'json' };

const table = json as unknown as PriceTable;

describe('the list of prices', () => {
  test('is dated, and has prices of the studio’s providers', () => {
    expect(table.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    const known = new Set(PROVIDERS.map(({ id }) => id));
    expect(Object.keys(table.models).filter((id) => !known.has(id))).toEqual([]);
    for (const models of Object.values(table.models))
      for (const [name, row] of Object.entries(models)) {
        expect(row.length, name).toBeGreaterThanOrEqual(6);
        for (const value of row.flat()) expect(value, name).toBeGreaterThanOrEqual(0);
      }
  });

  test('finds a model by its dated name, and no other', () => {
    const prices: PriceTable = {
      source: '',
      date: '',
      models: { openai: { 'gpt-x': [1, 1, 2, 8, 0.5, 0] } },
      reasoning: { openai: ['gpt-x'] },
      vision: {},
    };
    expect(priceIn(prices, 'openai', 'gpt-x')).toEqual({ input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 });
    expect(priceIn(prices, 'openai', 'gpt-x-2026-01-31')?.input).toBe(2);
    expect(priceIn(prices, 'openai', 'gpt-x-mini')).toBeUndefined();
    expect(priceIn(prices, 'local', 'gpt-x')).toBeUndefined();
    expect(priceIn(prices, 'constructor', 'name')).toBeUndefined();
    expect(priceIn(prices, 'openai', 'toString')).toBeUndefined();
    const entry = { contextSize: 1, hasReasoning: true, hasVision: false };
    expect(entryIn(prices, 'openai', 'gpt-x-2026-01-31')).toEqual(entry);
    expect(entryIn(prices, 'openai', 'toString')).toBeUndefined();
  });
});

/** Usage as providers report it, and what it costs by hand: dollars for a million tokens. */
describe('what a request costs', () => {
  const OPENAI = { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 };
  const ANTHROPIC = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const GOOGLE = {
    input: 1.25,
    output: 10,
    cacheRead: 0.125,
    cacheWrite: 0,
    tiers: [{ inputTokensAbove: 200_000, input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 0 }],
  };
  const DEEPSEEK = { input: 0.28, output: 0.42, cacheRead: 0.028, cacheWrite: 0 };

  test.each([
    // 3,048 tokens × 1.25, 1,920 × 0.125, 312 × 10.
    ['OpenAI', { inputTokens: 4_968, cachedInputTokens: 1_920, outputTokens: 312 }, OPENAI, 0.00717],
    // 21 × 3, 18,086 × 0.30, 1,442 × 3.75, 393 × 15.
    [
      'Anthropic',
      { inputTokens: 19_549, cachedInputTokens: 18_086, cacheWriteTokens: 1_442, outputTokens: 393 },
      ANTHROPIC,
      0.0167913,
    ],
    // 250,000 × 2.50, 1,000 × 15: all of it is in the higher tier.
    ['Google, a long prompt', { inputTokens: 250_000, outputTokens: 1_000 }, GOOGLE, 0.64],
    ['Google, a short prompt', { inputTokens: 200_000, outputTokens: 1_000 }, GOOGLE, 0.26],
    // 512 × 0.28, 7,680 × 0.028, 655 × 0.42.
    ['DeepSeek', { inputTokens: 8_192, cachedInputTokens: 7_680, outputTokens: 655 }, DEEPSEEK, 0.0006335],
    [
      'a cache without a price of its own',
      { inputTokens: 10, cacheWriteTokens: 10, outputTokens: 0 },
      OPENAI,
      0.0000125,
    ],
    ['more cached than sent', { inputTokens: 10, cachedInputTokens: 20, outputTokens: 0 }, OPENAI, 0.0000025],
  ])('%s', (_, usage, price, dollars) => {
    expect(Math.abs((costOf(usage, price) ?? 0) - dollars)).toBeLessThan(dollars * 0.01);
  });

  test('is unknown if the tokens were not reported', () => {
    expect(costOf({ outputTokens: 5 }, OPENAI)).toBeUndefined();
    expect(costOf({}, OPENAI)).toBeUndefined();
  });
});
