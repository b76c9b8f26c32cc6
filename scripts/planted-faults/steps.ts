import { stripVTControlCharacters } from 'node:util';
import { BINARIES, runNode } from '../lib/run.ts';
import { chooseSuites } from '../long/choose.ts';
import { readRecords } from '../long/records.ts';
import { LONG_SUITES } from '../long/suites.ts';
import type { ProjectCopy } from './copy.ts';

/** The outcome of the tests with a fault. */
export interface Outcome {
  /** The step that failed, and its first failed test; undefined if none did. */
  caughtBy?: { kind: 'daily' | 'long'; step: string; detail: string };
  seconds: number;
}

/** A part of the tests. */
export interface Step {
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

/** Runs steps until one fails. `isQuick`: only the quick ones. `failed`: the step that did. */
export async function catchFault(
  copy: ProjectCopy,
  files: readonly string[],
  { isQuick, tests }: { isQuick: boolean; tests: readonly string[] },
): Promise<Outcome & { failed?: Step }> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const steps = [...quickSteps(files, tests), ...(isQuick ? [] : otherSteps(files))];
  for (const step of steps) {
    const detail = await failureOf(copy, step);
    if (detail !== undefined)
      return { caughtBy: { kind: step.kind, step: step.name, detail }, seconds: seconds(), failed: step };
  }
  return { seconds: seconds() };
}

/** Runs a step; resolves with its first failure, or undefined if it passes. */
export async function failureOf({ folder }: ProjectCopy, { script, args }: Step): Promise<string | undefined> {
  const { code, output } = await runNode(script, args, { root: folder, output: 'pipe', endsWithParent: true });
  return code === 0 ? undefined : firstFailure(output);
}

/** The line that names the first failure. */
function firstFailure(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const line =
    lines.find((one) => /^\s*(×|✘|FAIL|\d+\) |error|.*\berror TS)/.test(one)) ??
    lines.findLast((one) => one.trim() !== '');
  return (line ?? '').trim().slice(0, 160);
}
