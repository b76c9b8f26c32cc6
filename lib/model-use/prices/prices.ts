import type { Usage } from '#lib/messages/message.ts';

/** The price of a million tokens, in US dollars. */
export interface Price {
  input: number;
  output: number;
  /** The price of input that was read from the provider's cache; 0 if that has no price of its own, so that `input` applies. */
  cacheRead: number;
  /**
   * The price of input that was written to the provider's cache; 0 if that has no price of its own, so that `input` applies.
   */
  cacheWrite: number;
  /**
   * The prices of requests whose input has more than `inputTokensAbove` tokens, by that number, smallest first. They apply to
   * the whole request; 0 stands for the price without a tier.
   */
  tiers?: readonly (Price & { inputTokensAbove: number })[];
}

/**
 * The prices and context windows of models, by provider and by the provider's name for the model. `source`: the package that
 * the data come from. `date`: the day of that package.
 */
export interface PriceTable {
  source: string;
  date: string;
  models: Record<string, Record<string, PriceRow>>;
  /** Models that think before they answer, by provider. */
  reasoning: Record<string, readonly string[]>;
  /** Models that take images, by provider. */
  vision: Record<string, readonly string[]>;
}

/** The data of a model in the table, besides its price. */
interface TableEntry {
  /** The window in tokens. */
  contextSize: number;
  hasReasoning: boolean;
  hasVision: boolean;
}

type PriceTier = [inputTokensAbove: number, input: number, output: number, cacheRead: number, cacheWrite: number];

/** Window and output limit in tokens, and dollars for a million tokens. */
type PriceRow = [
  contextSize: number,
  maxOutputTokens: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  ...tiers: PriceTier[],
];

const MILLION = 1_000_000;

/**
 * The name under which the table knows a model: its own or, if that has a date at its end, the name without the date. Undefined
 * if the table has neither.
 */
function nameIn({ models }: PriceTable, provider: string, model: string): string | undefined {
  const rows = Object.hasOwn(models, provider) ? models[provider] : undefined;
  return [model, model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')].find(
    (one) => rows !== undefined && Object.hasOwn(rows, one),
  );
}

/**
 * Returns from the table the context window of a model, and whether it thinks before it answers and takes images; undefined if
 * the model is not in there. If only the name without a date at its end is there, that one counts.
 */
export function entryIn(table: PriceTable, provider: string, model: string): TableEntry | undefined {
  const name = nameIn(table, provider, model);
  const contextSize = name === undefined ? undefined : table.models[provider]?.[name]?.[0];
  if (name === undefined || contextSize === undefined) return undefined;
  return {
    contextSize,
    hasReasoning: table.reasoning[provider]?.includes(name) ?? false,
    hasVision: table.vision[provider]?.includes(name) ?? false,
  };
}

/**
 * Returns a model's price in the table; undefined if the model is not in there. If only the name without a date at its end is
 * there, that one counts.
 */
export function priceIn(table: PriceTable, provider: string, model: string): Price | undefined {
  const name = nameIn(table, provider, model);
  const row = name === undefined ? undefined : table.models[provider]?.[name];
  if (row === undefined) return undefined;
  const [, , input, output, cacheRead, cacheWrite, ...tiers] = row;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(tiers.length > 0 && {
      tiers: tiers.map(([inputTokensAbove, ...prices]) => ({
        inputTokensAbove,
        input: prices[0],
        output: prices[1],
        cacheRead: prices[2],
        cacheWrite: prices[3],
      })),
    }),
  };
}

/**
 * Returns the cost of one request, in US dollars; undefined if its tokens were not reported. `inputTokens` includes the
 * tokens that were read from a cache and written to it.
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
