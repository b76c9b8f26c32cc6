import { globSync } from 'node:fs';
import { findDesktopBrowser } from '../lib/browser.ts';
import { isKnownCommit } from '../lib/changed-files.ts';
import { findFirefox } from '../lib/firefox.ts';
import { BINARIES, ROOT, runNode } from '../lib/run.ts';
import type { Area } from './areas.ts';

/** A suite that takes too long for every run of the tests. */
export interface LongSuite {
  name: string;
  /** The areas that it tests: it is due once one of them has changed. */
  areas: readonly Area[];
  /** Its files with tests, if it has any. */
  files: readonly string[];
  /** Explains why it cannot run here, and what to do about it; undefined if it can. `since`: as for `run`. */
  lacks?(since: string | undefined): string | undefined;
  /** Resolves with the exit code. `since`: the commit at which it last passed, if that is known. */
  run(since: string | undefined): Promise<number>;
}

const script = async (path: string, ...args: readonly string[]): Promise<number> => (await runNode(path, args)).code;

/** A suite whose tests are in files: those of Vitest first, then those in a page, then those of Playwright. */
const inFiles = (name: string, areas: readonly Area[], patterns: readonly string[]): LongSuite => {
  const files = globSync([...patterns], { cwd: ROOT }).sort();
  return { name, areas, files, run: () => runFiles(files) };
};

/** Compares a benchmark with the commit at which the suite last passed; the first time, with the latest commit. */
const speed = (bench: string, areas: readonly Area[]): LongSuite => ({
  name: `speed of ${bench}`,
  areas,
  files: [],
  lacks(since) {
    if (since === undefined)
      return process.env.CI ? 'it has not passed yet: run it by its name, and commit the record' : undefined;
    return isKnownCommit(since) ? undefined : `commit ${since} is not in this repository: git fetch --unshallow`;
  },
  run: (since = 'HEAD') => script('scripts/bench.ts', bench, '--against', since),
});

/** Runs files with long tests; resolves with the exit code of the first program that fails. */
export async function runFiles(files: readonly string[]): Promise<number> {
  const specs = files.filter((file) => file.endsWith('.spec.ts'));
  const inPage = files.filter((file) => file.includes('.browser.test.'));
  const tests = files.filter((file) => !specs.includes(file) && !inPage.includes(file));
  if (tests.some((file) => file.startsWith('bench/'))) {
    const { ensureBenchPackages } = await import('../lib/bench-packages.ts');
    await ensureBenchPackages();
  }
  if (tests.length > 0) {
    const { code } = await runNode(BINARIES.vitest, ['run', '--config', 'vitest.long.config.ts', ...tests], {
      env: { LONG_SUITES: '1' },
    });
    if (code !== 0) return code;
  }
  if (inPage.length > 0) {
    const { code } = await runNode('scripts/browser.ts', inPage, { env: { LONG_SUITES: '1' } });
    if (code !== 0) return code;
  }
  if (specs.length === 0) return 0;
  const { ensureBuild } = await import('../lib/build.ts');
  await ensureBuild();
  return (await runNode(BINARIES.playwright, ['test', ...specs], { env: { LONG_SUITES: '1' } })).code;
}

export const LONG_SUITES: readonly LongSuite[] = [
  inFiles('kills', ['files', 'threads', 'command line'], ['e2e/long/killed.spec.ts', 'e2e/local/crash.long.test.ts']),
  inFiles('attacks on the sandbox', ['sandbox', 'preview'], ['e2e/long/sandbox-*.spec.ts']),
  inFiles('attempts to escape', ['command line'], ['e2e/local/{escapes,planted-programs}.long.test.ts']),
  inFiles(
    'endings',
    ['server', 'command line'],
    ['e2e/long/{endings,traces}.spec.ts', 'e2e/local/endings.long.test.ts'],
  ),
  inFiles('hostile servers', ['external tools', 'page'], ['e2e/long/hostile-servers.spec.ts']),
  inFiles('hostile answers', ['page', 'sandbox'], ['e2e/long/hostile-answers.spec.ts']),
  inFiles(
    'hostile documents',
    ['page', 'external tools'],
    ['lib/{documents,web}/**/*.long.test.ts', 'e2e/long/hostile-documents.spec.ts'],
  ),
  inFiles(
    'interrupted calls',
    ['tools', 'threads', 'external tools'],
    ['e2e/*.long.test.ts', 'e2e/local/studio-servers.long.test.ts', 'e2e/long/reloads.spec.ts'],
  ),
  inFiles(
    'floods in a page',
    ['page', 'threads', 'server'],
    ['components/{chat,markdown,tools}/**/!(scenarios).long.browser.test.ts'],
  ),
  inFiles(
    'work in a page',
    ['page', 'files', 'sandbox'],
    ['components/{console,files,settings}/**/*.long.browser.test.ts', 'e2e/long/offline-views.spec.ts'],
  ),
  inFiles(
    'servers with defects',
    ['models'],
    ['components/models/*.long.browser.test.ts', 'e2e/long/examination.spec.ts'],
  ),
  inFiles('tool servers in a page', ['external tools', 'page'], ['components/sources/**/*.long.browser.test.ts']),
  inFiles('accessibility', ['page'], ['components/layout/*.long.browser.test.ts', 'e2e/long/{contrast,print}.spec.ts']),
  inFiles('cluster', ['server', 'threads'], ['server/shared/*.long.test.ts', 'e2e/long/cluster.spec.ts']),
  inFiles('restarts', ['server', 'threads'], ['e2e/long/{restarts,run-losses,dead-connections}.spec.ts']),
  inFiles(
    'previews',
    ['preview', 'sandbox'],
    ['components/preview/*.long.browser.test.ts', 'e2e/long/preview*.spec.ts'],
  ),
  inFiles('profiles', ['files', 'threads', 'server', 'tools'], ['e2e/long/profiles.spec.ts']),
  inFiles(
    'scenarios in a page',
    ['agent', 'tools', 'page', 'models'],
    ['components/chat/scenarios.long.browser.test.ts'],
  ),
  inFiles(
    'scenarios on the command line',
    ['agent', 'tools', 'command line'],
    ['e2e/local/{scenarios,mcp}.long.test.ts'],
  ),
  inFiles('release', ['release', 'command line', 'server'], ['scripts/release/*.long.test.ts']),
  inFiles('conformance', ['external tools'], ['bench/mcp/*.long.test.ts']),
  inFiles('sizes of prompts', ['agent', 'models'], ['bench/token-scale.long.test.ts']),
  {
    name: 'additions',
    areas: ['agent', 'models', 'server', 'tools', 'page', 'command line'],
    files: [],
    run: () => script('scripts/additions.ts'),
  },
  {
    name: 'views',
    areas: ['page'],
    files: [],
    lacks: () => {
      if (process.env.CI) return 'the stored views are compared where they were made: its fonts may be others';
      return findDesktopBrowser() === undefined
        ? 'there is no Chromium as the stored views were made with: apt install chromium'
        : undefined;
    },
    run: () => script('scripts/views.ts'),
  },
  {
    name: 'Firefox',
    areas: ['sandbox'],
    files: [],
    lacks: () =>
      findFirefox() === undefined ? 'there is no Firefox: apt install firefox-esr, or set FIREFOX' : undefined,
    run: () => script('e2e/firefox/run.ts'),
  },
  {
    name: 'benchmarks',
    areas: ['agent', 'server', 'files', 'sandbox', 'preview', 'command line'],
    files: [],
    run: () => script('scripts/bench.ts', 'all', '--short'),
  },
  speed('loop', ['agent', 'models', 'server', 'threads', 'tools']),
  speed('parser', ['agent']),
  speed('thread', ['page', 'threads']),
  speed('vfs', ['files']),
];
