import { expect, test } from 'vitest';
import { NESTED_VARIABLE } from './nested.ts';
import { programEnvironment } from './program-environment.ts';

test('a program gets what it needs to run, what is named for it, and that it is a tool server; no keys', () => {
  const env = {
    PATH: '/own/bin',
    HOME: '/own',
    LANG: 'de_DE.UTF-8',
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-2',
    NAMED_KEY: 'k',
    NODE_OPTIONS: '--import ./evil.js',
    LD_PRELOAD: '/evil.so',
  };
  const passed = programEnvironment(['NAMED_KEY', 'NOT_SET'], env);
  expect(passed).toMatchObject({ PATH: '/own/bin', HOME: '/own', LANG: 'de_DE.UTF-8', NAMED_KEY: 'k' });
  expect(passed[NESTED_VARIABLE]).toBe('1');
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'NODE_OPTIONS', 'LD_PRELOAD', 'NOT_SET'])
    expect(passed).not.toHaveProperty(name);
});
