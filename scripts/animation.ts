// Creates the README's picture: a round trip of the demo model in the production build, as an animation.
import { join } from 'node:path';
import { type Page, expect as playwrightExpect } from '@playwright/test';
import { AnimationRecorder } from './lib/animation-recorder.ts';
import { ROOT } from './lib/run.ts';
import { openSeenStudio } from './lib/seen-studio.ts';

const FILE = join('docs', 'images', 'round-trip.webp');
const WIDTH = 1_200;
const MAX_BYTES = 2_000_000;

/** The time that people need to see a question, in milliseconds. */
const GLANCE_MS = 1_200;

/** Waits longer than usual: a machine that also records is slow. */
const expect = playwrightExpect.configure({ timeout: 60_000 });

const studio = await openSeenStudio({ MODELS_FILE: 'no-such-file', DISCOVER_LOCAL: 'false', LLM_PROVIDER: 'demo' });
try {
  const context = await studio.browser.newContext({
    baseURL: studio.url,
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  await page.goto('/');
  await computeSum(page);
  await page.getByRole('button', { name: 'New thread' }).first().click();
  const suggestion = page.getByRole('button', { name: /Build a page/ });
  await expect(suggestion).toBeVisible();
  const animation = new AnimationRecorder(page);
  await page.waitForTimeout(GLANCE_MS);
  await suggestion.click();
  await watchPage(page);
  const size = await animation.save(join(ROOT, FILE), WIDTH);
  process.stdout.write(`${FILE}: ${Math.round(size / 1_000)} KB\n`);
  if (size > MAX_BYTES) {
    process.stderr.write(`The animation must not be larger than ${MAX_BYTES / 1_000} KB.\n`);
    process.exitCode = 1;
  }
} finally {
  await studio.close();
}
async function computeSum(page: Page): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Sum of the primes below 1000');
  await message.press('Enter');
  await page.getByRole('button', { name: 'Allow once', exact: true }).click();
  await expect(page.getByText('76127').last()).toBeVisible();
}

/** Lets the model open its page, fix the mistake that it sees, and open the page again. */
async function watchPage(page: Page): Promise<void> {
  for (let opened = 0; opened < 2; opened++) {
    const card = page.getByRole('group', { name: 'Tool call: preview_open' }).nth(opened);
    const allow = card.getByRole('button', { name: 'Allow once', exact: true });
    await expect(allow).toBeVisible();
    await page.waitForTimeout(GLANCE_MS);
    await allow.click();
  }
  await expect(page.getByText('The page works')).toBeVisible();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe').first();
  await expect(preview.getByRole('heading', { name: 'Color mixer' })).toBeVisible();
}
