// Creates the README's screenshot: the demo model computes, and builds a page in the production build.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { ROOT } from './lib/run.ts';
import { openSeenStudio } from './lib/seen-studio.ts';

const FILE = join(ROOT, 'docs', 'images', 'studio.png');
const MAX_BYTES = 250_000;

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
  const ask = async (prompt: string) => {
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await message.fill(prompt);
    await message.press('Enter');
  };
  await page.goto('/');
  await ask('Sum of the primes below 1000');
  await page.getByRole('button', { name: 'Allow once', exact: true }).click();
  await expect(page.getByText('76127').last()).toBeVisible();
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await page.getByRole('button', { name: /Build a page/ }).click();
  for (let opened = 0; opened < 2; opened++) {
    const card = page.getByRole('group', { name: 'Tool call: preview_open' }).nth(opened);
    await card.getByRole('button', { name: 'Allow once', exact: true }).click();
  }
  await expect(page.getByText('The page works')).toBeVisible();
  await page.getByRole('group', { name: 'Tool call: edit_file' }).getByRole('button').first().click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe').first();
  await expect(preview.getByRole('heading', { name: 'Color mixer' })).toBeVisible();
  await expect(page.getByRole('figure', { name: '/color-mixer.html' })).toBeVisible();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: FILE, animations: 'disabled', caret: 'hide' });
} finally {
  await studio.close();
}
const { size } = statSync(FILE);
process.stdout.write(`docs/images/studio.png: ${Math.round(size / 1_000)} KB\n`);
if (size > MAX_BYTES) {
  process.stderr.write(`The screenshot must not be larger than ${MAX_BYTES / 1_000} KB.\n`);
  process.exit(1);
}
