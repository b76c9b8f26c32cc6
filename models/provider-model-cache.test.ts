import type { LanguageModelV4 } from '@ai-sdk/provider';
import { expect, test, vi } from 'vitest';
import { PROVIDER_MODELS_MAX, ProviderModelCache } from './provider-model-cache.ts';

const create = () => ({}) as LanguageModelV4;

test('a model is created once for the same settings, and again for a different key', () => {
  const cache = new ProviderModelCache();
  const first = cache.get(['openai', 'gpt', 'key-1'], create);
  expect(cache.get(['openai', 'gpt', 'key-1'], create)).toBe(first);
  expect(cache.get(['openai', 'gpt', 'key-2'], create)).not.toBe(first);
});

test('a server whose models keep changing caches only the latest', () => {
  const cache = new ProviderModelCache();
  const used = cache.get('used all the time', create);
  const unused = cache.get('never used again', create);
  for (let model = 0; model < 10 * PROVIDER_MODELS_MAX; model++) {
    cache.get(`model ${model}`, create);
    expect(cache.get('used all the time', create)).toBe(used);
  }
  expect(cache.size).toBe(PROVIDER_MODELS_MAX);
  expect(cache.get('never used again', create)).not.toBe(unused);
});

test('keys are not stored', () => {
  const set = vi.spyOn(Map.prototype, 'set');
  new ProviderModelCache().get(['openai', 'sk-secret'], create);
  expect(JSON.stringify(set.mock.calls)).not.toContain('sk-secret');
  expect(set.mock.calls.length).toBeGreaterThan(0);
  set.mockRestore();
});
