import { describe, expect, test } from 'vitest';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { resolveModelConfig } from '../config.ts';
import { PROVIDERS, providerOf } from './providers.ts';

const traitsOf = (provider: string, baseURL?: string, reasoning?: { tag?: string | false }) => {
  const config = resolveModelConfig({
    provider,
    model: 'm',
    toolCalling: 'auto',
    ...(baseURL !== undefined && { baseURL }),
    ...(reasoning !== undefined && { reasoning }),
  });
  return providerOf(config).traits(config);
};

test('each provider has an id, a label and variables of its own', () => {
  for (const key of ['id', 'label'] as const)
    expect(new Set(PROVIDERS.map((one) => one[key])).size).toBe(PROVIDERS.length);
  for (const key of ['prefixes', 'keyVariables'] as const) {
    const all = PROVIDERS.flatMap((one) => one[key]);
    expect(new Set(all).size).toBe(all.length);
  }
});

test('[R17] those that verify their own reasoning get it back in later turns, and no other', () => {
  expect(PROVIDERS.filter(({ id }) => traitsOf(id).keepsReasoning).map(({ id }) => id)).toEqual([
    'openai',
    'anthropic',
    'google',
  ]);
});

describe('at an address that is not the provider’s own', () => {
  test.each(['openai', 'anthropic', 'google'])('%s may render a template, so markers are made inert', (id) => {
    expect(traitsOf(id).rendersTemplates).toBe(false);
    expect(traitsOf(id, 'http://127.0.0.1:8000/v1').rendersTemplates).toBe(true);
  });

  test('an imitation of OpenAI has thoughts in its text, and takes no images in results', () => {
    expect(traitsOf('openai')).toMatchObject({ reasoningTag: undefined, takesResultImages: true });
    expect(traitsOf('openai', 'http://127.0.0.1:8000/v1')).toMatchObject({
      reasoningTag: 'think',
      takesResultImages: false,
    });
  });

  test('models that are asked for calls as text write objects, which small ones do best', () => {
    for (const id of ['openai', 'anthropic', 'google', 'demo']) expect(traitsOf(id).codec, id).toBe('json');
    for (const id of ['local', 'deepseek', 'groq']) expect(traitsOf(id).codec, id).toBe('object');
    expect(traitsOf('openai', 'http://127.0.0.1:8000/v1').codec).toBe('object');
  });

  test('no key is needed', () => {
    for (const id of ['openai', 'anthropic', 'google', 'deepseek', 'groq']) {
      expect(providerOf({ provider: id }).needsKey({}), id).toBe(true);
      expect(providerOf({ provider: id }).needsKey({ baseURL: 'http://127.0.0.1:8000/v1' }), id).toBe(false);
    }
    for (const id of ['local', 'demo']) expect(providerOf({ provider: id }).needsKey({}), id).toBe(false);
  });
});

test('the tag around reasoning can be configured, and switched off', () => {
  expect(traitsOf('local').reasoningTag).toBe('think');
  expect(traitsOf('local', undefined, { tag: 'thought' }).reasoningTag).toBe('thought');
  expect(traitsOf('local', undefined, { tag: false }).reasoningTag).toBeUndefined();
  expect(traitsOf('anthropic', undefined, { tag: 'thought' }).reasoningTag).toBe('thought');
});

test('every provider accepts the names of the studio’s own tools', () => {
  for (const { id } of PROVIDERS)
    for (const { name } of toolRegistry.list()) expect(name).toMatch(traitsOf(id).toolName);
});

test('OpenAI itself is told which thread it is, and no other server', () => {
  const optionsOf = (provider: string, baseURL?: string) => {
    const config = resolveModelConfig({ provider, model: 'm', toolCalling: 'auto', ...(baseURL && { baseURL }) });
    return JSON.stringify(providerOf(config).options(config, 'thread-key'));
  };
  expect(optionsOf('openai')).toContain('"promptCacheKey":"thread-key"');
  expect(optionsOf('openai', 'http://127.0.0.1:8000/v1')).not.toContain('thread-key');
  for (const { id } of PROVIDERS) if (id !== 'openai') expect(optionsOf(id)).not.toContain('thread-key');
});
