import { entryIn, type PriceTable } from '#lib/model-use/prices/prices.ts';
import table from '#lib/model-use/prices/table.json' with { type: 'json' };
import type { ListedModel } from './providers/provider.ts';

/** A model of a provider's own address, with what the table knows of it and the provider does not say. */
export function withTableEntry(provider: string, listed: ListedModel): ListedModel {
  const entry = entryIn(table as unknown as PriceTable, provider, listed.model);
  return entry === undefined ? listed : { contextSize: entry.contextSize, vision: entry.hasVision, ...listed };
}
