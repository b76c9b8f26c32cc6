import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { missingForConfinement } from './e2e/lib/confining.ts';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

/** Tests of commands that are confined. Where they cannot be, `npm test` says so, and what to install. */
const CONFINED = ['workspace-tools', 'serve', 'git-guard', 'mcp', 'scenarios', 'crash'].map(
  (name) => `e2e/local/${name}.process.test.ts`,
);

const isLeftOut = missingForConfinement() !== undefined && process.env.CI === undefined;

/** Tests that start the command line, and what it starts, as processes of their own. */
export default defineConfig({
  test: {
    include: ['{config,e2e,hosts,lib,log,models,net,server}/**/*.process.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLeftOut ? CONFINED : [])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // They share the machine's two or more cores with the processes that they start.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: ['default', timingReporter('processes')],
  },
});
