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
  const title = page.getByRole('heading', { name: 'The studio can’t store data in this browser' });
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
  // As after an update of the server.
  await page.route('**/_next/static/**', (route) => route.fulfill({ status: 404 }));
  await expect(alert).toContainText('The studio has been updated. Reload the page to continue.');
  await expect(alert.getByRole('button', { name: 'Reload page' })).toBeVisible();
  await page.unroute('**/_next/static/**');
  await page.reload();
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
});

for (const { kind, title, expected } of [
  { kind: 'an older version', title: undefined, expected: 'Another tab with an older version of the studio keeps' },
  {
    kind: 'this version that is suspended',
    title: 'Baking bread',
    expected: 'The tab “Baking bread” isn’t responding',
  },
])
  test(`a tab with ${kind} that keeps the files open is named, and what waits for it goes on once it is closed`, async ({
    context,
    page,
    bench,
    studio,
  }) => {
    const question = prompt('Write a file');
    bench.model.script(question, [{ text: 'Fine.' }]);
    const other = await context.newPage();
    await other.goto('/about/LICENSE.txt');
    await other.evaluate(async (suspended) => {
      const request = indexedDB.open('roundtrip-workspace', 4);
      request.onupgradeneeded = () => {
        const log = request.result.createObjectStore('log');
        log.createIndex('toolCallId', 'author.toolCallId');
        for (const name of ['blobs', 'snapshot', 'head']) request.result.createObjectStore(name);
      };
      await new Promise((resolve) => request.addEventListener('success', resolve));
      if (suspended === undefined) return;
      localStorage.setItem('roundtrip-studio:tab:suspended', suspended);
      void navigator.locks.request('roundtrip-studio:tab:suspended', () => new Promise(() => undefined));
    }, title);
    await page.goto('/');
    await expect(page.locator('#composer')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: expected }).first()).toBeVisible();
    await other.close();
    await expect(page.getByRole('status').filter({ hasText: expected })).toHaveCount(0);
    await studio.say(question);
    await studio.settled();
    await expect(studio.answers).toContainText('Fine.');
  });
