import type { Usage } from '#lib/messages/message.ts';

/** What a million tokens cost, in US dollars. */
export interface Price {
  input: number;
  output: number;
  /** Of input that was read from the provider's cache; 0 if that has no price of its own. */
  cacheRead: number;
  /** Of input that was written to the provider's cache; 0 if that has no price of its own. */
  cacheWrite: number;
  /** Prices of requests with more input than this many tokens, smallest first. */
  tiers?: readonly (Price & { inputTokensAbove: number })[];
}

/** Prices and windows by provider and model, at a date. */
export interface PriceTable {
  source: string;
  date: string;
  models: Record<string, Record<string, PriceRow>>;
}

type PriceTier = [inputTokensAbove: number, input: number, output: number, cacheRead: number, cacheWrite: number];

/** Window and output limit in tokens, and dollars for a million tokens. */
export type PriceRow = [
  contextSize: number,
  maxOutputTokens: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  ...tiers: PriceTier[],
];

const MILLION = 1_000_000;

/** A model's price in the table; undefined if it is not in there. A dated name has the price of the name without a date. */
export function priceIn({ models }: PriceTable, provider: string, model: string): Price | undefined {
  const rows = Object.hasOwn(models, provider) ? models[provider] : undefined;
  const names = [model, model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')];
  const name = names.find((one) => rows !== undefined && Object.hasOwn(rows, one));
  const row = name === undefined ? undefined : rows?.[name];
  if (row === undefined) return undefined;
  const [, , input, output, cacheRead, cacheWrite, ...tiers] = row;
  return {
    ...{ input, output, cacheRead, cacheWrite },
    ...(tiers.length > 0 && {
      tiers: tiers.map(([inputTokensAbove, ...prices]) => ({
        inputTokensAbove,
        ...{ input: prices[0], output: prices[1], cacheRead: prices[2], cacheWrite: prices[3] },
      })),
    }),
  };
}

/**
 * What one request cost, in US dollars; undefined if its tokens were not reported. `inputTokens` includes what was read
 * from a cache and written to it.
 */
export function costOf(
  { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 }: Usage,
  price: Price,
): number | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const tier = price.tiers?.findLast(({ inputTokensAbove }) => inputTokens > inputTokensAbove);
  const { input, output, cacheRead, cacheWrite } = withOwnPrices(price, tier);
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const sum =
    plain * input +
    cachedInputTokens * (cacheRead || input) +
    cacheWriteTokens * (cacheWrite || input) +
    outputTokens * output;
  return sum / MILLION;
}

/** A tier's prices; where it has none of its own, those of the model. */
function withOwnPrices(price: Price, tier: Price | undefined): Price {
  if (tier === undefined) return price;
  return {
    input: tier.input || price.input,
    output: tier.output || price.output,
    cacheRead: tier.cacheRead || price.cacheRead,
    cacheWrite: tier.cacheWrite || price.cacheWrite,
  };
}
