import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runNode } from '#scripts/lib/run.ts';

/** Runs what `npm start` runs. */
async function expectRefusal(env: Record<string, string>, says: RegExp): Promise<void> {
  const { code, output } = await runNode('scripts/start.ts', [], { env, output: 'pipe' });
  expect(output).toMatch(says);
  expect(output).toContain('The studio was not started.');
  expect(output, 'words, not a stack').not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}

describe('a start with an invalid configuration fails with the position and the reason', () => {
  test.each([
    ['a models.yaml that is no YAML', 'models:\n  - id: a\n    provider: openai\n   model: b\n', /models\.yaml:4: \S+/],
    [
      'a field that does not exist',
      'models:\n  - provider: openai\n    model: a\n    apiKey: sk-never-here\n',
      /models\.yaml:4: models\[0\]: .*apiKey/,
    ],
    [
      'a provider that does not exist',
      'models:\n  - model: a\n    provider: opnai\n',
      /models\.yaml:3: models\[0\]\.provider: .*openai/,
    ],
    [
      'a model listed twice',
      'models:\n  - { provider: openai, model: a }\n  - { provider: openai, model: a }\n',
      /models\.yaml:3: models\[1\]\.id: .*listed twice/,
    ],
  ])('%s', async (_, yaml, says) => {
    const folder = mkdtempSync(join(tmpdir(), 'roundtrip-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'models.yaml'), yaml);
    await expectRefusal({ MODELS_FILE: join(folder, 'models.yaml') }, says);
  });

  const variables: { env: Record<string, string>; says: RegExp }[] = [
    { env: { LOG_LEVEL: 'loud' }, says: /LOG_LEVEL=loud: .*silent/ },
    { env: { AGENT_MAX_STEPS: '0' }, says: /AGENT_MAX_STEPS=0: .*1/ },
    { env: { DEMO_MODEL: 'maybe' }, says: /DEMO_MODEL=maybe: must be true or false/ },
    { env: { LLM_PROVIDER: 'opnai' }, says: /LLM_PROVIDER=opnai: must be one of openai, / },
    {
      env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'localhost:8000' },
      says: /OPENAI_BASE_URL=localhost:8000: must be an http/,
    },
  ];
  for (const { env, says } of variables) {
    test(Object.keys(env).at(-1) ?? '', () => expectRefusal(env, says));
  }
});
