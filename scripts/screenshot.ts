// Creates the README's screenshot: the demo model plays two scenarios in the production build.
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
  // With its own files, like any new thread.
  await page.getByRole('button', { name: /Look in src/ }).click();
  await expect(page.getByText('I’ve changed the title')).toBeVisible();
  const tree = page.getByRole('tree', { name: 'Files' });
  await tree.getByRole('treeitem', { name: 'App.tsx' }).click();
  await expect(page.getByRole('region', { name: 'Editor' }).locator('.view-lines')).toContainText(
    'Hello, Roundtrip Studio',
    {
      timeout: 30_000,
    },
  );
  await page.getByRole('group', { name: 'Tool call: write_file' }).getByRole('button').first().click();
  await expect(page.locator('.code-token').first()).toBeVisible();
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
