import { entryIn, type PriceTable } from '#lib/model-use/prices/prices.ts';
import table from '#lib/model-use/prices/table.json' with { type: 'json' };
import type { ListedModel } from './providers/provider.ts';

/**
 * Adds the context size and vision that the price table has for a model, unless the provider has reported them. Only for models
 * at the provider's own address, since the table describes no others. Without an entry, the model stays as it is.
 */
export function withTableEntry(provider: string, listed: ListedModel): ListedModel {
  const entry = entryIn(table as unknown as PriceTable, provider, listed.model);
  return entry === undefined ? listed : { contextSize: entry.contextSize, vision: entry.hasVision, ...listed };
}
