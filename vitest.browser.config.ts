import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './scripts/lib/browser.ts';

/** Tests that need a real browser, with its database and workers. */
export default defineConfig({
  // If Vite discovered these in the middle of a run, it would reload the page.
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
      provider: playwright({ launchOptions: launchOptions() }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
