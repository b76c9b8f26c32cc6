import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/lib/browser.ts';

const executablePath = findBrowser()?.path;

/** What only a real browser can show: its database, its workers. */
export default defineConfig({
  // Found in the middle of a run, they would load the page anew.
  optimizeDeps: {
    include: ['buffer/index.js', 'comlink', 'idb', 'ignore', 'isomorphic-git', 'just-bash', 'picomatch'],
  },
  worker: { format: 'es' },
  test: {
    include: ['lib/**/*.browser.test.ts'],
    testTimeout: 30_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: executablePath === undefined ? {} : { executablePath } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
