import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingPrograms } from '#scripts/lib/requirements.ts';
import { ROOT } from '#scripts/lib/run.ts';

// Documented commands that finish quickly, as people type them. Those that need a build are in e2e/commands.spec.ts.

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const npm = (args: readonly string[], env: Record<string, string> = {}) => run('npm', args, env);

/** Runs a program with only the demo model configured. */
function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const options = {
    cwd: ROOT,
    env: { ...process.env, MODELS_FILE: join(folder, 'none.yaml'), DISCOVER_LOCAL: 'false', ...env },
    shell: process.platform === 'win32',
  };
  return new Promise((resolve) => {
    const child = execFile(program, [...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
    });
  });
}

const TIMEOUT_MS = 60_000;

test('npm run scenarios without a model lists the models, and exits with 2', { timeout: TIMEOUT_MS }, async () => {
  const { code, output } = await npm(['run', 'scenarios']);
  expect(output).toContain('Which model? Give its id with --model.');
  expect(output).toMatch(/^Models: .*\bdemo\b/m);
  expect(output).toMatch(/^Scenarios: .*\bprimes\b/m);
  expect(code).toBe(2);
});

test('npm run scenarios with an unknown model names it, and exits with 2', { timeout: TIMEOUT_MS }, async () => {
  const { code, output } = await npm(['run', 'scenarios', '--', '--model', 'no-such-model']);
  expect(output).toContain('--model no-such-model: there is only ');
  expect(code).toBe(2);
});

test('npm run bench without a name lists the benchmarks, and fails', { timeout: TIMEOUT_MS }, async () => {
  const { code, output } = await npm(['run', 'bench']);
  expect(output).toMatch(/Which benchmark\?.*\bloop\b/);
  expect(code).toBe(1);
});

test.each([
  [['test', '--', 'no-such-file'], 'No file with tests has “no-such-file” in its name.', 1],
  [['run', 'test:long', '--', 'no-such-suite'], 'There is no long suite “no-such-suite”. There are: “kills”', 2],
  [['run', 'planted-faults', '--', 'no-such-fault'], 'There is no such fault.', 2],
  [['run', 'check', '--', '--fast'], 'There is no option --fast.', 2],
] as const)('npm %j says what there is instead', { timeout: TIMEOUT_MS }, async (args, message, exitCode) => {
  const { code, output } = await npm(args);
  expect(output).toContain(message);
  expect(code).toBe(exitCode);
});

test('a browser that does not exist is named, with what to do', { timeout: TIMEOUT_MS }, async () => {
  const { code, output } = await run(process.execPath, ['scripts/ensure-browser.ts'], {
    PLAYWRIGHT_CHROMIUM: '/no/such/browser',
  });
  expect(output.trim()).toBe('PLAYWRIGHT_CHROMIUM is not an executable file: /no/such/browser. Correct or unset it.');
  expect(code).toBe(1);
});

test('programs that are missing are named with what is skipped without them, and how to get them', () => {
  const missing = missingPrograms({ PATH: folder });
  expect(missing).toContainEqual({
    name: 'bubblewrap',
    without: 'tests of confined commands are skipped',
    install: 'apt install bubblewrap',
  });
  for (const name of ['bwrap', 'rg', 'socat', 'python3', 'initdb', 'redis-server'])
    writeFileSync(join(folder, name), '');
  expect(missingPrograms({ PATH: folder })).toEqual([]);
});

test('npm start with an invalid models.yaml names the line and reason, and does not start', {
  timeout: TIMEOUT_MS,
}, async () => {
  const file = join(folder, 'faulty.yaml');
  writeFileSync(file, 'models:\n  - provider: openai\n    model: gpt-4.1\n    temperature: 3\n');
  const { code, output } = await npm(['start'], { MODELS_FILE: file });
  expect(output).toContain('The studio was not started.');
  expect(output).toContain(`${file}:4: models[0].temperature:`);
  expect(code).toBe(1);
});

test('npm start with an invalid mcp.yaml names the line and reason, and does not start', {
  timeout: TIMEOUT_MS,
}, async () => {
  const file = join(folder, 'faulty-mcp.yaml');
  for (const [entry, fault] of [
    ['{ comand: npx }', 'Unrecognized key'],
    ['{ url: "https://example.com/mcp" }', 'only the command line'],
  ]) {
    writeFileSync(file, `servers:\n  files: ${entry}\n`);
    const { code, output } = await npm(['start'], { MCP_FILE: file });
    expect(output).toContain(`${file}:2: servers.files`);
    expect(output).toContain(fault);
    expect(code).toBe(1);
  }
});

test('npm start with an invalid variable names it, and does not start', { timeout: TIMEOUT_MS }, async () => {
  const { code, output } = await npm(['start'], { PORT: 'many' });
  expect(output).toContain('PORT=many: ');
  expect(code).toBe(1);
});

test('npm start with an unsupported database URL lists the supported ones, without its password', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, output } = await npm(['start'], { DATABASE_URL: 'mysql://someone:hidden-word@localhost/studio' });
  expect(output).toMatch(/DATABASE_URL: must be .*memory:, sqlite:<file> or postgres:\/\//);
  expect(output).not.toContain('hidden-word');
  expect(code).toBe(1);
});
