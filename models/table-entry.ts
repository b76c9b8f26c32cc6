import { entryIn, type PriceTable } from '#lib/model-use/prices/prices.ts';
import table from '#lib/model-use/prices/table.json' with { type: 'json' };
import type { ListedModel } from './providers/provider.ts';

/**
 * Adds to a model at its provider's own address the context size and vision that the price table knows and the provider does
 * not report.
 */
export function withTableEntry(provider: string, listed: ListedModel): ListedModel {
  const entry = entryIn(table as unknown as PriceTable, provider, listed.model);
  return entry === undefined ? listed : { contextSize: entry.contextSize, vision: entry.hasVision, ...listed };
}
