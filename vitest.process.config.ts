import { defineConfig } from 'vitest/config';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

/** Tests that start the command line, and what it starts, as processes of their own. */
export default defineConfig({
  test: {
    include: ['{e2e,hosts,lib,server}/**/*.process.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // They share the machine's two or more cores with the processes that they start.
    maxWorkers: 2,
    reporters: ['default', timingReporter('processes')],
  },
});
