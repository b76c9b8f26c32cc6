import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/lib/browser.ts';

const browser = findBrowser();
const CHROMIUM = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };

// Playwright's own switches keep the sandbox's frames apart from the page; none of them is taken away here.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    locale: 'en-US',
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(browser?.path === undefined ? {} : { executablePath: browser.path }),
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
    },
  },
  projects: [
    { name: 'chromium', use: CHROMIUM, testIgnore: 'alone/**' },
    // What measures how long the page is held up has the machine to itself, when all the others are done.
    { name: 'alone', use: CHROMIUM, testMatch: 'alone/**/*.spec.ts', dependencies: ['chromium'] },
  ],
});
