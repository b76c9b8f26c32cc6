import { createHash } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';

/** Maximum number of cached provider models; the least recently used one is evicted. */
export const PROVIDER_MODELS_MAX = 100;

/** Caches provider models by a hash of their settings, because the settings include the API key. */
export class ProviderModelCache {
  readonly #models = new Map<string, LanguageModelV4>();

  get size(): number {
    return this.#models.size;
  }

  /** The model that was created with these settings, or a new one. The settings must be JSON. */
  get(settings: unknown, create: () => LanguageModelV4): LanguageModelV4 {
    const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
    const model = this.#models.get(hash) ?? create();
    this.#models.delete(hash);
    this.#models.set(hash, model);
    const [oldest] = this.#models.keys();
    if (this.#models.size > PROVIDER_MODELS_MAX && oldest !== undefined) this.#models.delete(oldest);
    return model;
  }
}
