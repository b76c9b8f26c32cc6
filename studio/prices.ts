import type { Message, StepPart } from '#lib/messages/message.ts';
import { costOf, type Price, type PriceTable, priceIn } from '#lib/model-use/prices/prices.ts';
import type { ModelInfo } from '#lib/wire/models.ts';

/** The total cost of requests to models, and their tokens. */
export interface Cost {
  /** In US dollars, as far as it is known. */
  dollars: number;
  /** Whether all of it is known: every request reported its tokens, and every model has a price. */
  isComplete: boolean;
  /** All input tokens, including those that were read from a cache or written to it. */
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}

let table: Promise<PriceTable> | undefined;

/**
 * Loads the list of the prices of models, once. Never rejects: if it cannot be loaded, resolves with an empty list, and the
 * next call tries again.
 */
export function loadPrices(): Promise<PriceTable> {
  table ??= import('#lib/model-use/prices/table.json').then(
    (loaded) => loaded.default as unknown as PriceTable,
    () => {
      // The studio's server may be restarting; the next time, it is asked again.
      table = undefined;
      return { source: '', date: '', models: {}, reasoning: {}, vision: {} };
    },
  );
  return table;
}

/**
 * Returns a model's price: the person's own (`own`, by the id of the model), or that of the list; undefined if neither is
 * known.
 */
export const priceOf = (
  prices: PriceTable,
  own: Readonly<Record<string, Price>>,
  { id, provider, model }: Pick<ModelInfo, 'id' | 'provider' | 'model'>,
): Price | undefined => (Object.hasOwn(own, id) ? own[id] : undefined) ?? priceIn(prices, provider, model);

/** A request to a model, for a step or a summary, and what it used. */
export type PricedRequest = Pick<StepPart, 'model' | 'provider' | 'usage'>;

/** Returns the requests to models that messages contain: for steps, and for summaries. */
export const requestsOf = (messages: readonly Message[]): PricedRequest[] =>
  messages.flatMap((message): PricedRequest[] =>
    message.role === 'assistant'
      ? message.parts.flatMap((part): PricedRequest[] => {
          if (part.type === 'compaction') {
            const request = part.summary ?? part.failed;
            return request?.usage === undefined ? [] : [request];
          }
          return part.type === 'step' ? [part] : [];
        })
      : [],
  );

/**
 * Adds up the cost and the tokens of requests. `priceOfRequest`: returns undefined for a request whose price is not known; then
 * `dollars` leaves it out, and `isComplete` is false.
 */
export function costOfRequests(
  requests: readonly PricedRequest[],
  priceOfRequest: (request: PricedRequest) => Price | undefined,
): Cost {
  const sum: Cost = {
    dollars: 0,
    isComplete: true,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
  };
  for (const request of requests) {
    const { usage } = request;
    const price = priceOfRequest(request);
    const dollars = usage === undefined || price === undefined ? undefined : costOf(usage, price);
    if (dollars === undefined) sum.isComplete = false;
    sum.dollars += dollars ?? 0;
    sum.inputTokens += usage?.inputTokens ?? 0;
    sum.cachedInputTokens += usage?.cachedInputTokens ?? 0;
    sum.cacheWriteTokens += usage?.cacheWriteTokens ?? 0;
    sum.outputTokens += usage?.outputTokens ?? 0;
  }
  return sum;
}
