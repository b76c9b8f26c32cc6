import { describe, expect, test } from 'vitest';
import { markSecret, redact } from './redact.ts';

describe('[R18] keys of the environment', () => {
  const env = {
    OPENAI_API_KEY: 'plain-openai-word',
    TEAM_OPENAI_KEY: 'plain-team-word',
    HF_TOKEN: 'plain-token-word',
    CLIENT_SECRET: 'plain-client-word',
    PGPASSWORD: 'plain-password-word',
    HOME: '/home/someone',
    SHORT_API_KEY: 'abc',
    EMPTY_API_KEY: '',
  };

  test.each(['OPENAI_API_KEY', 'TEAM_OPENAI_KEY', 'HF_TOKEN', 'CLIENT_SECRET', 'PGPASSWORD'] as const)(
    '%s is removed wherever it appears',
    (name) => {
      const value = env[name];
      expect(redact(`${value} and "${value}",(${value})`, env)).toBe('[redacted] and "[redacted]",([redacted])');
    },
  );

  test('a variable of any name is a secret once a model’s key has been read from it', () => {
    const odd = { TEAM_CREDENTIAL: 'plain-odd-word' };
    expect(redact('plain-odd-word', odd)).toBe('plain-odd-word');
    markSecret('TEAM_CREDENTIAL');
    expect(redact('plain-odd-word', odd)).toBe('[redacted]');
  });

  test('anything else stays', () => {
    expect(redact('/home/someone/project', env)).toBe('/home/someone/project');
  });

  test('a placeholder of a few letters is not removed from every word', () => {
    expect(redact('the abcdarian', env)).toBe('the abcdarian');
    expect(redact('untouched', { ...env, OTHER_API_KEY: undefined })).toBe('untouched');
  });

  test('a key with a trailing line break, as in files, is still recognized', () => {
    expect(redact('key plain-word refused', { X_API_KEY: 'plain-word\n' })).toBe('key [redacted] refused');
  });

  test('if one key is part of another, both are removed completely', () => {
    const nested = { A_API_KEY: 'secret-word', B_API_KEY: 'secret-word-and-more' };
    expect(redact('x secret-word-and-more y', nested)).not.toContain('and-more');
  });
});

describe('[R18] anything that looks like a key', () => {
  test.each([
    ['OpenAI', 'sk-proj-AbCdEf0123456789_-xyz'],
    ['Anthropic', 'sk-ant-api03-AbCdEf0123456789'],
    ['OpenRouter', 'sk-or-v1-0123456789abcdef'],
    ['xAI', 'xai-0123456789abcdefABCDEF'],
    ['Groq', 'gsk_0123456789abcdefABCDEF'],
    ['Google', 'AIzaSyA0123456789abcdefghijk_-'],
  ])('%s', (_, key) => {
    expect(redact(`Incorrect key: ${key}.`, {})).toBe('Incorrect key: [redacted].');
    expect(redact(`{"key":"${key}"}`, {})).toBe('{"key":"[redacted]"}');
  });

  test.each([
    ['Authorization: Bearer abc.def-123/456==', 'Authorization: [redacted]'],
    ['https://x.example/v1/models?key=abc123&alt=sse', 'https://x.example/v1/models?key=[redacted]&alt=sse'],
    ['https://x.example/?a=1&api_key=abc123', 'https://x.example/?a=1&api_key=[redacted]'],
    ['postgres://me:word@host:5432/db', 'postgres://me:[redacted]@host:5432/db'],
    ['https://me:word@proxy.example', 'https://me:[redacted]@proxy.example'],
    ['redis://:word@host:6379', 'redis://:[redacted]@host:6379'],
  ])('%s', (text, expected) => {
    expect(redact(text, {})).toBe(expected);
  });

  test.each([
    'The task-list and the risk-factor were asked for.',
    'http://localhost:3000/a@b',
    'http://localhost:3000 was asked by someone@example.org',
    'a bearer of news',
    'key=value',
  ])('text that only resembles a key stays: %s', (text) => {
    expect(redact(text, {})).toBe(text);
  });
});
