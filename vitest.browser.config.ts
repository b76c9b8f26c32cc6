import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig } from 'vitest/config';
import { bundledWorkers } from './components/test/bundled-workers.ts';
import { siteCommands, studioSite } from './components/test/studio-site.ts';
import { launchOptions } from './scripts/lib/browser.ts';
import { ROOT } from './scripts/lib/run.ts';
import { timingReporter } from './scripts/timings/vitest-reporter.ts';

/** True in the long suites, which `npm run test:long` starts. */
const IS_LONG = process.env.LONG_SUITES === '1';

const LONG = '{components,lib,studio}/**/*.long.browser.test.{ts,tsx}';

/** Tests of what is loaded, or started, only once in a page. */
const FRESH = `{components,lib,studio}/**/*.fresh${IS_LONG ? '.long' : ''}.browser.test.{ts,tsx}`;

/** Tests that need a real browser, with its database and workers, but no server and no navigation. */
export default defineConfig({
  plugins: [studioSite(), bundledWorkers()],
  // As in next.config.mjs.
  resolve: { alias: { 'radix-ui/internal': `${ROOT}/components/ui/radix-internal.ts` } },
  // React as it is shipped: it takes a fifth less time. `npm run dev` has a test of its own.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.STUDIO_VERSION': '"0.0.0-test"' },
  oxc: { jsx: { development: false } },
  optimizeDeps: {
    // If Vite discovered packages in the middle of a run, it would reload the page.
    entries: [
      'components/layout/studio-root.tsx',
      '{components,lib,studio}/**/*.browser.test.{ts,tsx}',
      'lib/**/*-worker.ts',
      'components/**/*-worker.ts',
    ],
    include: ['buffer/index.js', 'mermaid', 'monaco-editor/nls/lang/zh-cn.js', 'react/jsx-runtime'],
  },
  worker: { format: 'es' },
  test: {
    include: [IS_LONG ? LONG : '{components,lib,studio}/**/*.browser.test.{ts,tsx}'],
    reporters: ['default', timingReporter(IS_LONG ? 'long' : 'browser')],
    setupFiles: ['components/test/matchers.ts'],
    testTimeout: 60_000,
    // A machine that is busy, or slow, takes several times as long as a quiet one.
    expect: { poll: { timeout: 20_000 } },
    // Tests close the studio as a tab is closed: in the middle of what it stores.
    onUnhandledError: ({ name, message }) =>
      !(name === 'StorageError' && message.endsWith('The database connection is closing.')),
    // Pages wait now and then, so that more of them than there are cores use these fully.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: launchOptions(), contextOptions: { locale: 'en-US' } }),
      instances: [
        // Loading the studio takes a page several seconds, so each of these runs many files, one after the other.
        {
          browser: 'chromium',
          name: 'page',
          isolate: false,
          exclude: [...configDefaults.exclude, FRESH, ...(IS_LONG ? [] : [LONG])],
        },
        { browser: 'chromium', name: 'fresh page', include: [FRESH], isolate: true },
      ],
      viewport: { width: 1440, height: 900 },
      locators: { exact: false },
      commands: siteCommands,
    },
  },
});
