import { describe, expect, test } from 'vitest';
import { PROVIDERS } from '#models/providers/providers.ts';
import { CONNECTION_PRESETS, isAddress, pasted, presetOfKey, presetOfLocalPort } from './presets.ts';

describe('what people connect to', () => {
  test('are providers that the server knows, at addresses of their own or with one to ask for', () => {
    for (const { id, provider, hasAddress } of CONNECTION_PRESETS) {
      const known = PROVIDERS.find((one) => one.id === provider);
      expect(known, id).toBeDefined();
      expect(hasAddress, id).toBe(known?.baseURL === undefined);
    }
  });

  test.each([
    ['sk-ant-api03-abc', 'anthropic'],
    ['sk-or-v1-abc', 'openrouter'],
    ['sk-proj-abc', 'openai'],
    ['gsk_abc', 'groq'],
    ['xai-abc', 'xai'],
    ['AIzaSyA', 'google'],
    ['sk-0123456789abcdef', undefined],
  ])('%s is a key of %s', (key, preset) => {
    expect(presetOfKey(key)?.id).toBe(preset);
  });

  test.each([
    ['http://a', true],
    ['localhost', true],
    ['localhost:11434', true],
    ['gpu-box:8000/v1', true],
    ['192.168.1.5', true],
    ['[::1]:8080', true],
    ['api.example.com', true],
    ['box.local', true],
    ['gpu-box', true],
    ['sk-test', false],
    ['gpu-box/v1', true],
    ['example.com/openai/v1', true],
    ['Ab3dEfGh/xyz+Q1w2e3r4t5y6u7i8o9p0A==', false],
    ['9f8e7d6c5b4a/abcd', false],
    ['abcdef/abcd', false],
    ['sk-ant-api03-abc/def', false],
    ['gsk_abc/v1', false],
    ['xai-abc', false],
    ['sk-0123456789abcdef', false],
    ['sk-ant-api03-abc', false],
    ['0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp', false],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', false],
    ['gsk_abc', false],
    ['', false],
  ])('%s is an address: %s', (text, expected) => {
    expect(isAddress(text)).toBe(expected);
  });

  test.each([
    [' sk-a ', 'sk-a'],
    ['"sk-a"', 'sk-a'],
    ['OPENAI_API_KEY=sk-a', 'sk-a'],
    ['export OPENAI_API_KEY="sk-a"', 'sk-a'],
    ['Bearer sk-a', 'sk-a'],
    ['Authorization: Bearer sk-a', 'sk-a'],
    ['x-api-key: sk-a', 'sk-a'],
    ['OLLAMA_HOST=http://localhost:11434', 'http://localhost:11434'],
    ['“https://api.example.com/v1”', 'https://api.example.com/v1'],
    ['QUJD_REVG==', 'QUJD_REVG=='],
    ['abc=', 'abc='],
    ['', ''],
  ])('%s means %s', (text, meant) => {
    expect(pasted(text)).toBe(meant);
  });

  test.each([
    ['localhost:11434', 'ollama'],
    ['http://127.0.0.1:1234/v1', 'lm-studio'],
    ['https://api.example.com/v1', 'compatible'],
  ])('%s is %s', (address, preset) => {
    expect(presetOfLocalPort(address).id).toBe(preset);
  });
});
