import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

test('storage that cannot be opened is reported, the studio continues in memory, and a reload keeps', async ({
  page,
}) => {
  // As in a private window: the first visit has no storage, the one after changing the setting does.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('visited') !== null) return;
    sessionStorage.setItem('visited', 'yes');
    IDBFactory.prototype.open = () => {
      throw new DOMException('Storage is blocked here.', 'SecurityError');
    };
  });
  await page.goto('/');
  const title = page.getByRole('heading', { name: 'This browser doesn’t let the studio store anything' });
  await expect(title).toBeVisible();
  // Threads and files exist as long as the page does.
  await page.getByRole('main').getByRole('textbox').fill('Sum of the primes');
  await page.getByRole('button', { name: /App\.tsx/ }).click();
  await expect(page.getByRole('treeitem', { name: 'README.md' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await expect(title).toBeHidden();
});

test('a view whose code cannot be loaded says so in its place, and the rest keeps working', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Continue');
  bench.model.script(question, [{ text: 'The chat goes on.' }]);
  studio.expectedProblems.push('Failed to load', 'ERR_FAILED', 'ChunkLoadError');
  await studio.open({ files: { '/a.txt': 'alpha' } });
  // Preloaded code is there, so only the editor's code is missing from here on.
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/static/**', (route) => route.abort());
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  const alert = studio.editor.getByRole('alert');
  await expect(alert).toContainText('This part of the studio stopped working. The rest still works');
  await expect(alert.getByRole('button', { name: 'Copy details' })).toBeVisible();
  await studio.say(question);
  await studio.settled();
  await expect(studio.answers).toContainText('The chat goes on.');
  await page.unroute('**/_next/static/**');
  // As after an update of the server.
  await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
  await studio.editor.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toContainText('The studio has been updated. Reload the page to go on.');
  await expect(alert.getByRole('button', { name: 'Reload page' })).toBeVisible();
  await page.unroute('**/_next/static/**');
  await page.reload();
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
});
