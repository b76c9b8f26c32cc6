import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { shownText } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';

loadEditor();

test('the demo builds a page, sees its mistake, fixes it, and shows it', async ({ studio }) => {
  await studio.open({ model: 'demo', isWorkspaceShown: false });
  await expect
    .element(page.getByRole('main').getByRole('button', { name: /Build a page|Compute|Change a file|Look around/ }))
    .toHaveLength(4);
  await page.getByRole('button', { name: /Build a page/ }).click();
  await studio.settled(1, { whenAsked: 'allow' });
  await expect.element(studio.call('preview_open')).toContainText('Page error');
  await expect.element(studio.call('edit_file')).toHaveAttribute('data-state', 'done');
  await expect.element(studio.answers.last()).toContainText('The page works');
  // The workspace has opened by itself, with the page in the preview.
  await expect.element(page.getByRole('tab', { name: 'Preview', selected: true })).toBeVisible();
  const frame = page.frameLocator(page.getByRole('region', { name: 'Preview' }).locate('iframe').first());
  await expect.poll(() => shownText(frame.getByRole('heading', { name: 'Color mixer' }))).toBe('Color mixer');
  await frame.getByRole('slider', { name: 'Red' }).fill('255');
  await expect.poll(() => shownText(frame.getByRole('status'))).toBe('#ff86c5');
});

test('the last suggestion works in an empty workspace', async ({ studio }) => {
  await studio.open({ model: 'demo', isWorkspaceShown: false });
  await page.getByRole('button', { name: /Look around/ }).click();
  await studio.settled();
  await expect.element(studio.answers.last()).toContainText('This workspace is still empty.');
});
