import { defineConfig } from 'vitest/config';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

/** Tests of the long suites, which `scripts/test-long.ts` names one by one. */
export default defineConfig({
  test: {
    include: ['{bench,config,e2e,hosts,lib,log,models,net,scripts,server}/**/*.long.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', timingReporter('long')],
  },
});
