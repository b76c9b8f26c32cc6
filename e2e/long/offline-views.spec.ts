import { expect, test } from '../lib/fixtures.ts';

test('a view whose code cannot be loaded while the device is offline is there once it is online again', async ({
  studio,
  page,
}) => {
  studio.expectedProblems.push('Failed to load', 'ERR_INTERNET_DISCONNECTED', 'ChunkLoadError');
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.getByRole('alert')).toContainText('This part of the studio stopped working');
  await page.context().setOffline(false);
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha');
});
