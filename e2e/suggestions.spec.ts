import { expect, test } from './lib/fixtures.ts';
import { StudioPage } from './lib/studio-page.ts';

test('the demo builds a page, sees its mistake, fixes it, and shows it', async ({ startBench, page }) => {
  const bench = await startBench({ MODELS_FILE: 'no-such-file', LLM_PROVIDER: 'demo' });
  const studio = new StudioPage(page);
  await page.goto(bench.url);
  await expect(
    page.getByRole('main').getByRole('button', { name: /Build a page|Compute|Change a file|Look around/ }),
  ).toHaveCount(4);
  await page.getByRole('button', { name: /Build a page/ }).click();
  await studio.settled(1, { whenAsked: 'allow' });
  await expect(studio.call('preview_open')).toContainText('attempt 1 of');
  await expect(studio.call('edit_file')).toHaveAttribute('data-state', 'done');
  await expect(studio.answers.last()).toContainText('The page works');
  // The workspace has opened by itself, with the page in the preview.
  await expect(page.getByRole('tab', { name: 'Preview', selected: true })).toBeVisible();
  const frame = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe').first();
  await expect(frame.getByRole('heading', { name: 'Color mixer' })).toBeVisible();
  await frame.getByRole('slider', { name: 'Red' }).fill('255');
  await expect(frame.locator('#swatch')).toHaveText('#ff86c5');
});

test('the last suggestion works in an empty workspace', async ({ startBench, page }) => {
  const bench = await startBench({ MODELS_FILE: 'no-such-file', LLM_PROVIDER: 'demo' });
  const studio = new StudioPage(page);
  await page.goto(bench.url);
  await page.getByRole('button', { name: /Look around/ }).click();
  await studio.settled();
  await expect(studio.answers.last()).toContainText('This workspace is still empty.');
});
