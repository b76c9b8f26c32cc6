import { configDefaults, defineConfig } from 'vitest/config';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

/** Tests that replace modules, need them loaded for themselves, or count timers, of which other files leave some behind. */
const FRESH = '{bench,components,config,e2e,hosts,lib,log,models,net,scripts,server,studio}/**/*.fresh.test.ts';

export default defineConfig({
  test: {
    // A limit for what never ends. A machine that is busy takes several times as long as a quiet one.
    testTimeout: 20_000,
    // Vitest leaves one core free by default, which on a machine with two is half of it.
    maxWorkers: '100%',
    exclude: [...configDefaults.exclude, '**/*.{browser,process,long}.test.{ts,tsx}'],
    reporters: ['default', timingReporter('unit')],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,components,config,e2e,hosts,lib,log,models,net,scripts,server,studio}/**/*.test.ts'],
          exclude: [FRESH],
          // With a process for each file, most of a third of the time goes to loading the same modules again.
          isolate: false,
          setupFiles: ['scripts/test/leave-nothing.ts'],
        },
      },
      { extends: true, test: { name: 'fresh', include: [FRESH], isolate: true } },
    ],
  },
});
