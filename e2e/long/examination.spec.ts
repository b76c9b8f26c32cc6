import type { Page } from '@playwright/test';
import { expect, test } from '../lib/fixtures.ts';
import { StudioPage } from '../lib/studio-page.ts';

const dialogIn = (tab: Page) => tab.getByRole('dialog', { name: 'Model settings: scripted' });

test('a model is examined while the dialog is closed, and in one tab at a time', async ({
  page,
  startBench,
  studio,
}) => {
  const bench = await startBench();
  bench.model.script('Good morning.', [{ text: 'Good morning.', hold: { after: 0, gate: 'morning' } }]);
  await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
  await studio.choose('Tool calling', 'Model settings');
  // A double click starts it and does not stop it.
  await dialogIn(page).getByRole('button', { name: 'Run check', exact: true }).dblclick();
  await expect(dialogIn(page).getByRole('status')).toContainText('Request 1 of up to 8');
  await page.keyboard.press('Escape');
  await expect(dialogIn(page)).toBeHidden();
  const second = await page.context().newPage();
  await second.goto(bench.url);
  const other = new StudioPage(second);
  await other.choose('Tool calling', 'Model settings');
  await dialogIn(second).getByRole('button', { name: 'Run check', exact: true }).click();
  await expect(dialogIn(second).getByRole('alert')).toHaveText('This model is being checked in another tab.');
  await studio.choose('Tool calling', 'Model settings');
  await expect(dialogIn(page).getByRole('status')).toContainText('Request 1 of up to 8');
  await page.keyboard.press('Escape');
  bench.model.open('morning');
  // Its report appears in both tabs.
  await expect(dialogIn(second).getByText('Checked on')).toBeVisible();
  await studio.choose('Tool calling', 'Model settings');
  await expect(dialogIn(page).getByText('Checked on')).toBeVisible();
  expect(bench.model.aborted).toBe(0);
});
