import { configDefaults, defineConfig } from 'vitest/config';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

export default defineConfig({
  test: {
    include: ['{bench,components,e2e,hosts,lib,scripts,server,studio}/**/*.test.ts'],
    // Vitest leaves one core free by default, which on a machine with two is half of it.
    maxWorkers: '100%',
    exclude: [...configDefaults.exclude, '**/*.{browser,process,long}.test.{ts,tsx}'],
    reporters: ['default', timingReporter('unit')],
  },
});
