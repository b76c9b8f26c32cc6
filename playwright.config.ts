import { defineConfig, devices } from '@playwright/test';
import { launchOptions } from './scripts/lib/browser.ts';

const browser = launchOptions();
const CHROMIUM = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

/** Whether the long suites run, which `npm run test:long` starts. */
const IS_LONG = process.env.LONG_SUITES === '1';

// Playwright's default switches keep the sandbox's frames isolated from the page, so none of them is removed here.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Some long tests measure how long the page stands still, and need the machine to themselves.
  workers: IS_LONG ? 1 : 2,
  timeout: 60_000,
  // A machine that is busy, or slow, takes several times as long as a quiet one.
  expect: { timeout: 20_000 },
  // Other configurations, in other folders, begin with this one.
  reporter: [
    ['list'],
    [`${import.meta.dirname}/scripts/timings/playwright-reporter.ts`],
    [`${import.meta.dirname}/scripts/lib/page-on-failure.ts`],
  ],
  use: {
    locale: 'en-US',
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...browser,
      args: [
        ...browser.args,
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
      ],
    },
  },
  projects: [
    { name: 'chromium', use: CHROMIUM, ...(IS_LONG ? { testMatch: 'long/**/*.spec.ts' } : { testIgnore: 'long/**' }) },
  ],
});
