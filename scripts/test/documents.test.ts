import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readServerEnv, serverEnvSchema } from '#config/env.ts';
import { parseMcpFile } from '#config/mcp-file.ts';
import { parseScenario } from '#e2e/lib/scenarios/scenario.ts';
import { listedModelSchema, parseModelsFile } from '#models/models-file.ts';
import { PROVIDERS } from '#models/providers/providers.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { LAYERS } from '../../.dependency-cruiser.mjs';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: ROOT })];

const isThere = (path: string): boolean => existsSync(join(ROOT, path)) || existsSync(join(ROOT, `${path}.ts`));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The rows of the table with this first heading: their cells, without code marks. */
function tableOf(document: string, heading: string): string[][] {
  const lines = read(document).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** The code blocks of a language, in order. */
const codeBlocks = (document: string, language: string): string[] =>
  [...read(document).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );

describe('the documented commands', () => {
  /** The place where each command is run, so that no documented command is untested. */
  const RUN_BY = new Map([
    ['ci', '.ci/run'],
    ['test', '.ci/run'],
    ['check', 'npm test, as the same script'],
    ['unit', 'npm test, with the same program'],
    ['e2e', 'npm test, with the same program'],
    ['processes', 'npm test, with the same program'],
    ['browser', 'npm test, with the same program'],
    ['test:long', '.ci/run'],
    ['timings', 'by hand: it prints what the latest runs have recorded'],
    ['planted-faults', 'by hand: it takes hours; wrong arguments: scripts/test/commands.test.ts'],
    ['postinstall', 'npm ci, after each of which it runs'],
    ['start', 'e2e/commands.spec.ts'],
    ['dev', 'e2e/commands.spec.ts'],
    ['build', 'npm test, with the same script'],
    ['scenarios', 'e2e/scenario-runner.spec.ts; wrong arguments: scripts/test/commands.test.ts'],
    ['profile', 'e2e/long/profiles.spec.ts, with the same script'],
    ['bench', 'by hand; wrong arguments: scripts/test/commands.test.ts'],
    ['format', 'by hand: it changes files; npm test checks that none would change'],
    ['animation', 'by hand: it changes a file'],
    ['cluster', 'npm run test:long, with the same parts'],
    ['views', 'npm run test:long'],
    ['lighthouse', 'by hand: npm fetches it'],
    ['firefox', 'npm run test:long'],
    ['release', 'npm run test:long'],
  ]);

  test.each(DOCUMENTS)('%s names only existing commands that are run somewhere', (document) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/npm (?:run ([\w:-]+)|(ci|start|test))/g)].map(
      ([, script, short]) => script ?? short ?? '',
    );
    for (const name of named) {
      expect([...Object.keys(scripts), 'ci']).toContain(name);
      expect([...RUN_BY.keys()]).toContain(name);
    }
  });

  test('CI runs the test command of the README, and then the long suites', () => {
    expect(read('README.md')).toContain('npm ci && npm test');
    expect(read('.ci/run')).toMatch(/\nnpm ci\nnpm test\nnpm run test:long -- --changed --budget \d+\n/);
  });
});

/** Files that a reader of CONTRIBUTING.md writes; `scripts/additions.ts` does what it says. */
const WRITTEN_BY_READERS = ['lib/tools/files/longest-line.ts', 'lib/tools/files/longest-line.test.ts'];

describe.each(DOCUMENTS)('%s', (document) => {
  test('names only existing files', () => {
    const named = [
      ...read(document).matchAll(/`((?:app|bench|components|docs|e2e|hosts|lib|scripts|server|studio)\/[^`\s<*]*)`/g),
    ];
    const files = named.map(([, file = '']) => file).filter((file) => !WRITTEN_BY_READERS.includes(file));
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });

  test('links only to existing files', () => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(document), link)))).toEqual([]);
  });

  test('contains nothing specific to the machine it was written on', () => {
    expect(read(document)).not.toMatch(/\/(work|home|tmp|root)\/|TODO|FIXME/);
  });
});

describe('docs/CONFIGURATION.md', () => {
  test('matches the schema, every variable with its default', () => {
    const defaults = new Map<string, unknown>(Object.entries(readServerEnv({})));
    const expected = Object.keys(serverEnvSchema.shape).map((name) => [name, String(defaults.get(name) ?? '–')]);
    expect(tableOf('docs/CONFIGURATION.md', 'Variable').map(([name, value]) => [name, value])).toEqual(expected);
  });

  test('explains every variable', () => {
    for (const [, , meaning] of tableOf('docs/CONFIGURATION.md', 'Variable')) expect(meaning).toMatch(/\.$/);
  });

  test('names every variable of every provider', () => {
    const text = tableOf('docs/CONFIGURATION.md', 'Provider').flat().join(' ').split(/[ ,]+/);
    for (const { prefixes, keyVariables } of PROVIDERS) {
      const suffixed = prefixes.flatMap((prefix) => [`${prefix}_BASE_URL`, `${prefix}_MODEL`]);
      for (const name of [...keyVariables, ...suffixed]) expect(text).toContain(name);
    }
  });
});

describe('the examples', () => {
  test('mcp.example.yaml is a valid list of tool servers, also with what it leaves out', () => {
    const source = read('mcp.example.yaml');
    expect(parseMcpFile(source, 'mcp.example.yaml').map(({ type }) => type)).toEqual(['program']);
    const whole = source.replace(/^ {2}# (?=tracker| {2})/gm, '  ');
    const servers = parseMcpFile(whole, 'mcp.example.yaml');
    expect(servers.map(({ type }) => type)).toEqual(['program', 'address']);
    expect(servers[1]).toMatchObject({ allow: ['find_issue'], headers: { Authorization: 'TRACKER_AUTHORIZATION' } });
  });

  test('models.example.yaml is a valid models file that shows every field', () => {
    const models = parseModelsFile(read('models.example.yaml'), 'models.example.yaml');
    expect(models.length).toBeGreaterThan(0);
    const shown = new Set(models.flatMap((model) => Object.keys(model)));
    expect(Object.keys(listedModelSchema.shape).filter((field) => !shown.has(field))).toEqual([]);
  });

  test('the models in docs/CONFIGURATION.md are a valid models file', () => {
    const [example = ''] = codeBlocks('docs/CONFIGURATION.md', 'yaml');
    expect(parseModelsFile(example, 'docs/CONFIGURATION.md').map(({ id }) => id)).toEqual(['fast', 'openai/gpt-4.1']);
  });

  test('the scenario in docs/SCENARIOS.md is valid', () => {
    const [example = ''] = codeBlocks('docs/SCENARIOS.md', 'yaml');
    const { title, variants } = parseScenario(example, 'docs/SCENARIOS.md');
    expect([title, variants[0]?.turns?.[0]?.length]).toEqual(['Rename a note', 3]);
  });
});

describe('the front door', () => {
  const words = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

  test('the README has at most 130 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(131);
  });

  test('the first part of docs/ARCHITECTURE.md has at most 2,500 words, and the rules with their ids', () => {
    const [first = ''] = read('docs/ARCHITECTURE.md').split('\n# Details\n');
    expect(words(first)).toBeLessThanOrEqual(2_500);
    for (let rule = 1; rule <= 20; rule++) expect(first).toContain(`| R${rule} |`);
  });
});

test('docs/ARCHITECTURE.md names every part of the larger layers', () => {
  const parts = read('docs/ARCHITECTURE.md').split('### Parts of the larger layers')[1] ?? '';
  const folders = ['hosts/local', 'lib/tools', 'models', 'studio'].flatMap((parent) =>
    readdirSync(join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'test')
      .map(({ name }) => `${parent}/${name}`),
  );
  expect(folders.filter((folder) => !parts.includes(`\`${folder}\``))).toEqual([]);
});

test('the layers in docs/ARCHITECTURE.md are the enforced ones', () => {
  const list = (names: readonly string[]) => names.join(', ') || '–';
  const enforced = LAYERS.map(({ folder, holds, serves, may, packages, core }) => [
    folder,
    holds,
    list(serves),
    list(may),
    list(packages),
    core ? 'yes' : 'no',
  ]);
  expect(tableOf('docs/ARCHITECTURE.md', 'Folder')).toEqual(enforced);
});
