import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '#config/test/faults.ts';
import { parseModelsFile, readModelsFile } from './models-file.ts';

const parse = (source: string) => parseModelsFile(source, 'models.yaml');

/** The lines of the error for the file. */
const faults = (source: string) => faultsOf(() => parse(source));

describe('models.yaml', () => {
  test('lists models; missing fields are derived from provider and model', () => {
    const source = `
models:
  - provider: local
    model: qwen3
    baseURL: http://127.0.0.1:8000/v1
    toolCalling: prompted
    contextSize: 32768
    reasoning: { tag: think, startsInReasoning: true }
  - { provider: openai, model: gpt, id: work, name: Work, apiKeyEnv: TEAM_OPENAI_KEY, vision: true }
`;
    expect(parse(source)).toEqual([
      {
        provider: 'local',
        model: 'qwen3',
        id: 'local/qwen3',
        name: 'qwen3',
        baseURL: 'http://127.0.0.1:8000/v1',
        toolCalling: 'prompted',
        contextSize: 32_768,
        reasoning: { tag: 'think', startsInReasoning: true },
        isFromFile: true,
      },
      {
        provider: 'openai',
        model: 'gpt',
        id: 'work',
        name: 'Work',
        apiKeyEnv: 'TEAM_OPENAI_KEY',
        toolCalling: 'auto',
        vision: true,
        isFromFile: true,
      },
    ]);
  });

  test.each(['', '# nothing yet\n', 'models: []\n'])('%j lists none', (source) => {
    expect(parse(source)).toEqual([]);
  });

  test('a missing file lists none; an existing one is read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-models-'));
    const file = join(folder, 'models.yaml');
    expect(readModelsFile(file)).toEqual([]);
    writeFileSync(file, 'models:\n  - { provider: demo, model: x }\n');
    expect(readModelsFile(file)).toHaveLength(1);
    writeFileSync(file, 'models:\n  - { provider: nobody, model: x }\n');
    expect(() => readModelsFile(file)).toThrow(`${file}:2: models[0].provider: `);
    rmSync(folder, { recursive: true });
  });
});

describe('an error is reported with its line, field and reason', () => {
  const entry = (lines: string) => `# models\nmodels:\n  - provider: local\n    model: a\n${lines}`;

  test.each([
    ['bad YAML', 'models:\n  - provider: local\n   model: a\n', 'models.yaml:3: '],
    ['an open quote', 'models:\n  - provider: "local\n', 'models.yaml:'],
    ['an unknown field', entry('    modle: x\n'), 'models.yaml:5: models[0]: Unrecognized key'],
    ['an unknown field at the top', 'models: []\nmodles: []\n', 'models.yaml:2: Unrecognized key'],
    ['a wrong type', entry('    contextSize: large\n'), 'models.yaml:5: models[0].contextSize: '],
    [
      'a wrong nested type',
      entry('    reasoning:\n      effort: extreme\n'),
      'models.yaml:6: models[0].reasoning.effort: ',
    ],
    ['a number out of range', entry('    temperature: 3\n'), 'models.yaml:5: models[0].temperature: '],
    [
      'a missing field',
      'models:\n  - provider: local\n    model: a\n  - model: b\n',
      'models.yaml:4: models[1].provider: ',
    ],
    ['an empty entry', 'models:\n  - provider: local\n    model: a\n  -\n', 'models.yaml:4: models[1]: '],
    ['no list', 'models: none\n', 'models.yaml:1: models: '],
    ['a text alone', 'hello\n', 'models.yaml:1: '],
    ['an address that is none', entry('    baseURL: localhost:8000\n'), 'models.yaml:5: models[0].baseURL: '],
    [
      'a duplicate id',
      entry('  - provider: openai\n    model: b\n    id: local/a\n'),
      'models.yaml:5: models[1].id: "local/a" is listed twice',
    ],
    [
      'a duplicate model',
      entry('  - provider: local\n    model: a\n'),
      'models.yaml:5: models[1].id: "local/a" is listed twice',
    ],
  ])('%s', (_, source, expected) => {
    const [first, ...others] = faults(source);
    expect(first).toContain(expected);
    expect(first?.length).toBeGreaterThan(expected.length);
    expect(others).toEqual([]);
  });

  test('all errors are reported at once', () => {
    expect(faults('models:\n  - provider: x\n    model: a\n  - provider: local\n    contextSize: 1\n')).toEqual([
      expect.stringContaining('models.yaml:2: models[0].provider: '),
      expect.stringContaining('models.yaml:4: models[1].model: '),
      expect.stringContaining('models.yaml:5: models[1].contextSize: '),
    ]);
  });

  test('[R18] a key in apiKeyEnv is rejected without being repeated', () => {
    const [fault] = faults(entry('    apiKeyEnv: sk-abcdef0123456789\n'));
    expect(fault).toContain('models.yaml:5: models[0].apiKeyEnv: must be the name of an environment variable');
    expect(fault).not.toContain('sk-abcdef');
  });
});
