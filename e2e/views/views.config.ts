import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

/** Compares views of the studio with stored ones. They were made with Debian's Chromium and fonts; elsewhere text differs. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.view.ts',
  snapshotPathTemplate: '{testDir}/stored/{arg}{ext}',
  projects: [{ name: 'views', use: base.projects?.[0]?.use ?? {} }],
  expect: {
    timeout: 15_000,
    // Letters may be a shade lighter or darker; what has moved is much more.
    toHaveScreenshot: { maxDiffPixelRatio: 0.005, threshold: 0.2, animations: 'disabled', caret: 'hide' },
  },
});
