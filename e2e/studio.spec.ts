import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

const SETTINGS = { defaultModel: 'scripted' };

test('threads that are deleted in another tab are closed here, and undo works there', async ({
  studio,
  bench,
  page,
  context,
}) => {
  const question = prompt('Here and there');
  bench.model.script(question, [{ text: 'Both.' }]);
  await studio.open({ settings: SETTINGS });
  await studio.say(question);
  await studio.settled();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('article', { name: 'Assistant' })).toContainText('Both.');
  await page.getByRole('button', { name: `Options for ${question}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(other.getByRole('article', { name: 'Assistant' })).toBeHidden();
  await expect(other).not.toHaveURL(/thread=/);
  // A tab that opens in the meantime leaves it to be restored.
  await other.reload();
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
  await studio.undo.click();
  await expect(studio.answers).toContainText('Both.');
  await page.reload();
  await expect(studio.answers).toContainText('Both.');
});

test('text typed just before a reload is in the file afterwards', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'one' }, settings: SETTINGS });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
  await studio.editor.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' and two');
  await page.reload();
  await expect(studio.message).toBeVisible();
  expect((await studio.workspace()).get('/a.txt')).toBe('one and two');
});

test('what is typed right after Ctrl-K is in the palette, even while the page is loading', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'one' }, settings: SETTINGS });
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.reload({ waitUntil: 'commit' });
    await studio.message.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('a.txt');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
    await expect(page.locator('#composer')).toHaveValue('');
  }
  // So is Enter: the best match opens.
  await page.reload({ waitUntil: 'commit' });
  await studio.message.waitFor();
  await page.keyboard.press('Control+p');
  await page.keyboard.type('a.txt');
  await page.keyboard.press('Enter');
  await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('Ctrl-K opens the palette even if the studio is still opening', async ({ studio, page, context }) => {
  await studio.open({ files: { '/a.txt': 'one' }, settings: SETTINGS });
  const other = await context.newPage();
  await other.goto('/icon.svg');
  // Nothing can be read from the studio's database until this transaction ends.
  await other.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('roundtrip-studio');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const names = [...open.result.objectStoreNames];
          const store = open.result.transaction(names, 'readwrite').objectStore(names[0] ?? '');
          const keepAlive = (): void => {
            if (!Object.hasOwn(window, 'released')) store.count().onsuccess = keepAlive;
          };
          keepAlive();
          resolve();
        };
      }),
  );
  await page.reload({ waitUntil: 'load' });
  await expect(page.getByRole('status')).toHaveText('Opening the studio…');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('a.txt');
  await expect(page.getByRole('status')).toHaveText('Opening the studio…');
  await other.evaluate(() => Object.assign(window, { released: true }));
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
});

test('a selected theme applies from the first paint', async ({ studio, page }) => {
  await studio.open({ settings: SETTINGS });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // Without the studio's own scripts, only the first paint remains.
  await page.route('**/_next/static/**/*.js', (route) => route.abort());
  studio.expectedProblems.push('ERR_FAILED');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
