import { expect, test } from '../lib/fixtures.ts';
import { prompt } from '../lib/prompt.ts';

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

test('code that is shown while its grammar cannot be loaded has its colors later', async ({ studio, bench, page }) => {
  studio.expectedProblems.push('Failed to load', 'ERR_FAILED', 'ChunkLoadError');
  const [first, second] = [prompt('In JavaScript'), prompt('In Python')];
  bench.model.script(first, [{ text: '```js\nconst a = 1;\n```\n' }]);
  bench.model.script(second, [{ text: '```python\nx = 1 # why\n```\n' }]);
  await studio.open();
  await studio.say(first);
  await studio.settled(1);
  await expect(studio.answers.last().locator('.code-token').first()).toBeVisible();
  let refused = 0;
  await page.context().route(/_next\/static/, (route) => {
    refused++;
    return route.abort();
  });
  await studio.say(second);
  await studio.settled(2);
  // While it was being written, and now that it is complete.
  await expect.poll(() => refused).toBeGreaterThan(1);
  const code = studio.answers.last().locator('pre');
  await expect(code).toContainText('x = 1');
  await expect(code.locator('.code-token')).toHaveCount(0);
  await page.context().unroute(/_next\/static/);
  await expect(code.locator('.code-token').first()).toBeVisible({ timeout: 40_000 });
});

test('a file has its colors although nothing can be loaded any more', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'alpha', '/a.py': 'x = 1 # why' } });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha');
  await page.waitForLoadState('networkidle');
  await page.context().route(/_next\/static/, (route) => route.abort());
  await studio.files.getByRole('treeitem', { name: 'a.py' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('x = 1');
  await expect(studio.editor.locator('.view-line').getByText('# why', { exact: true })).toBeVisible();
});
