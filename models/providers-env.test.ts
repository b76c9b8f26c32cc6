import { describe, expect, test } from 'vitest';
import type { Environment } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { readApiKey } from './api-key.ts';
import { PROVIDERS } from './providers/providers.ts';
import { readProviders } from './providers-env.ts';

/** The error for the configuration. */
function refusal(env: Environment): string {
  try {
    readProviders(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('providers of the environment', () => {
  test('an empty environment configures nothing', () => {
    expect(readProviders({})).toEqual([]);
    expect(readProviders({ OPENAI_API_KEY: '', OPENAI_MODEL: ' ', LOCAL_BASE_URL: '  ' })).toEqual([]);
  });

  test.each([
    ['openai', 'OPENAI'],
    ['anthropic', 'ANTHROPIC'],
    ['google', 'GEMINI'],
    ['google', 'GOOGLE'],
    ['deepseek', 'DEEPSEEK'],
    ['openrouter', 'OPENROUTER'],
    ['groq', 'GROQ'],
    ['xai', 'XAI'],
  ])('%s is configured by %s_API_KEY, _MODEL and _BASE_URL', (provider, prefix) => {
    const key = { [`${prefix}_API_KEY`]: ' key-1234 ' };
    expect(readProviders(key)).toEqual([{ provider }]);
    const all = { ...key, [`${prefix}_MODEL`]: 'm', [`${prefix}_BASE_URL`]: 'https://gateway.example/v1' };
    expect(readProviders(all)).toEqual([{ provider, baseURL: 'https://gateway.example/v1', models: ['m'] }]);
    expect(readApiKey({ provider: readProviders(key)[0]?.provider ?? 'demo' }, key)).toBe('key-1234');
  });

  test('every provider has its variables', () => {
    for (const { id, prefixes, keyVariables } of PROVIDERS)
      expect(prefixes.length > 0 && keyVariables.length > 0, id).toBe(id !== 'demo');
  });

  test('a local server needs a base URL and no key', () => {
    expect(readProviders({ LOCAL_BASE_URL: 'http://127.0.0.1:8000/v1' })).toEqual([
      { provider: 'local', baseURL: 'http://127.0.0.1:8000/v1' },
    ]);
    expect(readProviders({ LOCAL_API_KEY: 'key-1234' })).toEqual([]);
  });

  test('a custom base URL makes a key optional', () => {
    expect(readProviders({ OPENAI_BASE_URL: 'http://localhost:4000/v1' })).toHaveLength(1);
  });

  test('several models are separated by commas; blanks and empty entries are ignored', () => {
    const [settings] = readProviders({ OPENAI_API_KEY: 'k', OPENAI_MODEL: ' gpt-a, ,gpt-b,' });
    expect(settings?.models).toEqual(['gpt-a', 'gpt-b']);
    const [none] = readProviders({ OPENAI_API_KEY: 'k', OPENAI_MODEL: ',' });
    expect(none).toEqual({ provider: 'openai' });
  });

  test('the first of a provider’s prefixes wins', () => {
    const [settings] = readProviders({ GEMINI_API_KEY: 'a', GEMINI_MODEL: 'one', GOOGLE_MODEL: 'two' });
    expect(settings?.models).toEqual(['one']);
    expect(readApiKey({ provider: 'google' }, { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: 'a' })).toBe('a');
    expect(readApiKey({ provider: 'google' }, { GOOGLE_GENERATIVE_AI_API_KEY: 'c' })).toBe('c');
  });

  test('a model with its own key variable uses no other key', () => {
    const env = { OPENAI_API_KEY: 'a', TEAM_KEY: 'b' };
    expect(readApiKey({ provider: 'openai', apiKeyEnv: 'TEAM_KEY' }, env)).toBe('b');
    expect(readApiKey({ provider: 'openai', apiKeyEnv: 'OTHER_KEY' }, env)).toBeUndefined();
  });
});

describe('a configuration that cannot work is rejected, naming what to set', () => {
  test.each([
    [{ OPENAI_MODEL: 'gpt' }, 'OPENAI_MODEL is set, but OPENAI_API_KEY is not'],
    [{ LOCAL_MODEL: 'qwen' }, 'LOCAL_MODEL is set, but LOCAL_BASE_URL is not'],
    [{ GOOGLE_MODEL: 'gemini' }, 'GEMINI_API_KEY is not'],
    [{ LOCAL_BASE_URL: 'localhost:8000' }, 'LOCAL_BASE_URL=localhost:8000: must be an http(s) address'],
    [{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'ftp://x/v1' }, 'OPENAI_BASE_URL=ftp://x/v1: must be'],
    [{ LLM_PROVIDER: 'chatgpt' }, 'LLM_PROVIDER=chatgpt: must be one of openai, anthropic, google'],
    [{ LLM_PROVIDER: 'openai' }, 'LLM_PROVIDER=openai, but OPENAI_API_KEY is not set'],
    [{ LLM_PROVIDER: 'local' }, 'LLM_PROVIDER=local, but LOCAL_BASE_URL is not set'],
    [{ LLM_PROVIDER: 'constructor' }, 'must be one of'],
  ])('%j', (env, message) => {
    expect(refusal(env)).toContain(message);
  });

  test('LLM_PROVIDER may name a configured provider or the demo', () => {
    expect(readProviders({ LLM_PROVIDER: 'demo' })).toEqual([]);
    expect(readProviders({ LLM_PROVIDER: ' openai ', OPENAI_API_KEY: 'k' })).toHaveLength(1);
  });
});
