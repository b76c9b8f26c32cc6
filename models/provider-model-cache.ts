import { createHash } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { BoundedMap } from './bounded-map.ts';

/** The maximum number of models of the AI SDK that are cached; the least recently used one is evicted. */
export const PROVIDER_MODELS_MAX = 100;

/**
 * Caches the AI SDK's models, which send requests to a provider, by a hash of their settings, because the settings include
 * the API key.
 */
export class ProviderModelCache {
  readonly #models = new BoundedMap<string, LanguageModelV4>(PROVIDER_MODELS_MAX);

  get size(): number {
    return this.#models.size;
  }

  /** Returns the model that was created with these settings, or creates one. The settings must be JSON. */
  get(settings: unknown, create: () => LanguageModelV4): LanguageModelV4 {
    const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
    const model = this.#models.get(hash) ?? create();
    this.#models.set(hash, model);
    return model;
  }
}
