import { defineConfig, devices } from '@playwright/test';
import { launchOptions } from './scripts/lib/browser.ts';

const browser = launchOptions();
const CHROMIUM = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

// Playwright's default switches keep the sandbox's frames isolated from the page, so none of them is removed here.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['./scripts/timings/playwright-reporter.ts']],
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
    { name: 'chromium', use: CHROMIUM, testIgnore: 'alone/**' },
    // Tests that measure how long the page is blocked need the machine to themselves, so they run after all others.
    { name: 'alone', use: CHROMIUM, testMatch: 'alone/**/*.spec.ts', dependencies: ['chromium'] },
  ],
});
