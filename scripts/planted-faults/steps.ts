import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { BINARIES } from '../lib/run.ts';
import { chooseSuites } from '../long/choose.ts';
import { readRecords } from '../long/records.ts';
import { LONG_SUITES } from '../long/suites.ts';
import type { ProjectCopy } from './copy.ts';

/** What became of a fault. */
export interface Outcome {
  /** The step that failed, and its first failed test; undefined if none did. */
  caughtBy?: { kind: 'daily' | 'long'; step: string; detail: string };
  seconds: number;
}

interface Step {
  name: string;
  kind: 'daily' | 'long';
  script: string;
  args: readonly string[];
}

const daily = (name: string, script: string, ...args: readonly string[]): Step => ({
  name,
  kind: 'daily',
  script,
  args,
});

/** The quick steps in which a fault may be caught. All are parts of `npm test`. */
const quickSteps = (files: readonly string[], tests: readonly string[]): Step[] => [
  daily('types', BINARIES.tsc, '--noEmit', '-p', '.'),
  daily('related unit tests', BINARIES.vitest, 'related', '--run', '--passWithNoTests', '--bail', '1', ...files),
  daily('lint', BINARIES.biome, 'check', '--error-on-warnings', ...files),
  ...(tests.length > 0 ? [daily('likely tests', 'scripts/test.ts', ...tests)] : []),
];

/** The other steps of `npm test`, the fastest first, and then the long suites that are due after a change of these files. */
function otherSteps(files: readonly string[]): Step[] {
  const { due } = chooseSuites(LONG_SUITES, readRecords(), {
    names: [],
    changedOnly: true,
    changedSince: () => files,
  });
  const changed = due.filter(({ why }) => why.startsWith('changed') || why.startsWith('it has never'));
  return [
    daily('unit tests', BINARIES.vitest, 'run', '--bail', '1'),
    daily('tests in a page', 'scripts/browser.ts', '--bail', '1'),
    daily('tests with processes', BINARIES.vitest, 'run', '--config', 'vitest.process.config.ts', '--bail', '1'),
    daily('browser suites', 'scripts/e2e.ts', '-x'),
    ...changed.map(
      ({ suite }): Step => ({ name: suite.name, kind: 'long', script: 'scripts/test-long.ts', args: [suite.name] }),
    ),
  ];
}

/** Runs steps until one fails. `isQuick`: only the quick ones. */
export async function catchFault(
  { folder }: ProjectCopy,
  files: readonly string[],
  { isQuick, tests }: { isQuick: boolean; tests: readonly string[] },
): Promise<Outcome> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const steps = [...quickSteps(files, tests), ...(isQuick ? [] : otherSteps(files))];
  for (const { name, kind, script, args } of steps) {
    const { code, output } = await run(folder, script, args);
    if (code !== 0) return { caughtBy: { kind, step: name, detail: firstFailure(output) }, seconds: seconds() };
  }
  return { seconds: seconds() };
}

/** The line that names the first failure. */
function firstFailure(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const line =
    lines.find((one) => /^\s*(×|✘|FAIL|\d+\) |error|.*\berror TS)/.test(one)) ??
    lines.findLast((one) => one.trim() !== '');
  return (line ?? '').trim().slice(0, 160);
}

function run(cwd: string, script: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
