import { globSync } from 'node:fs';
import { ensureBuild, ensurePublicFiles } from './build.ts';
import { BINARIES, ROOT, runNode } from './run.ts';

/** One way in which tests run. */
interface TestKind {
  name: string;
  /** Checks whether a file holds tests of this kind. */
  matches(file: string): boolean;
  /** Runs those whose file names contain one of these texts, or all; resolves with the exit code. */
  run(filters: readonly string[]): Promise<number>;
}

const vitest = async (config: string | undefined, filters: readonly string[]): Promise<number> => {
  const { code } = await runNode(BINARIES.vitest, ['run', ...(config ? ['--config', config] : []), ...filters]);
  return code;
};

const ends = (pattern: RegExp) => (file: string) => pattern.test(file);

/** All kinds, the fastest first. */
export const TEST_KINDS: readonly TestKind[] = [
  {
    name: 'unit tests',
    matches: (file) => /\.test\.tsx?$/.test(file) && !/\.(browser|process|long)\.test\.tsx?$/.test(file),
    run: (filters) => vitest(undefined, filters),
  },
  {
    name: 'tests with processes',
    matches: ends(/\.process\.test\.ts$/),
    run: (filters) => vitest('vitest.process.config.ts', filters),
  },
  {
    name: 'tests in a page',
    matches: (file) => /\.browser\.test\.tsx?$/.test(file) && !/\.long\./.test(file),
    async run(filters) {
      await ensurePublicFiles();
      return vitest('vitest.browser.config.ts', filters);
    },
  },
  {
    name: 'browser suites',
    matches: ends(/^e2e\/(?!long\/).*\.spec\.ts$/),
    async run(filters) {
      await ensureBuild();
      return (await runNode(BINARIES.playwright, ['test', ...filters])).code;
    },
  },
  {
    name: 'long suites',
    matches: ends(/\.long\.(browser\.)?test\.tsx?$|^e2e\/long\/.*\.spec\.ts$/),
    run: async (filters) => (await runNode('scripts/test-long.ts', ['--files', ...filters])).code,
  },
];

/** All files with tests. */
export const testFiles = (): string[] =>
  globSync(
    ['{bench,components,config,e2e,hosts,lib,log,models,net,scripts,server,studio}/**/*.{test.ts,test.tsx,spec.ts}'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**'],
    },
  );
