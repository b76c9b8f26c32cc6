import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { prompt, replaceTurns, writeCall } from './lib/prompt.ts';

/** A folder in the browser's own file system, in place of one on the computer. */
async function offerFolder(page: Page, files: Record<string, string>): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true }),
    });
  });
  await page.goto('/icon.svg');
  await writeFolder(page, files);
}

async function writeFolder(page: Page, files: Record<string, string | null>): Promise<void> {
  await page.evaluate(async (entries) => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true });
    for (const [name, text] of Object.entries(entries)) {
      if (text === null) {
        await folder.removeEntry(name);
        continue;
      }
      const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await writable.write(text);
      await writable.close();
    }
  }, files);
}

/** While a file is being put in place, its name may be missing for a moment; then nothing is returned. */
const readFolder = (page: Page): Promise<Record<string, string> | undefined> =>
  page
    .evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('project');
      const found: Record<string, string> = {};
      for await (const [name, handle] of folder.entries())
        if (handle.kind === 'file') found[name] = await (await (handle as FileSystemFileHandle).getFile()).text();
      return found;
    })
    .catch(() => undefined);

/** The text of the folder bar, including what screen readers announce. */
const folderState = (page: Page) => page.getByRole('region', { name: 'Files' }).getByRole('status');

const join = async (page: Page) => {
  await page.getByRole('button', { name: /^Workspace: / }).click();
  await page.getByRole('menuitem', { name: 'Sync with a local folder…' }).click();
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
};

test('a local folder and the workspace are synced, and stay in sync both ways', async ({ studio, bench, page }) => {
  const question = prompt('Write a file');
  bench.model.script(question, [{ calls: writeCall('/new.txt', 'from the model') }, { text: 'Written.' }]);
  await offerFolder(page, { 'disk.txt': 'disk', 'both.txt': 'of the folder' });
  await studio.open({ files: { '/mine.txt': 'mine', '/both.txt': 'of the workspace' } });
  await join(page);
  const status = folderState(page);
  await expect(status).toHaveText('Up to date');
  const same = { 'disk.txt': 'disk', 'both.txt': 'of the folder', 'mine.txt': 'mine' };
  expect(await readFolder(page)).toEqual(same);
  expect(Object.fromEntries(await studio.workspace())).toEqual(
    Object.fromEntries(Object.entries(same).map(([name, text]) => [`/${name}`, text])),
  );
  await studio.say(question);
  await studio.settled();
  await expect.poll(() => readFolder(page)).toMatchObject({ 'new.txt': 'from the model' });
  await writeFolder(page, { 'disk.txt': 'changed by another program', 'mine.txt': null });
  await expect.poll(async () => (await studio.workspace()).get('/disk.txt')).toBe('changed by another program');
  await expect.poll(async () => (await studio.workspace()).has('/mine.txt')).toBe(false);
  // The next visit continues where it was.
  await page.reload();
  await writeFolder(page, { 'disk.txt': 'changed meanwhile' });
  await expect.poll(async () => (await studio.workspace()).get('/disk.txt')).toBe('changed meanwhile');
});

test('a file changed on both sides waits for the user, and neither version is lost', async ({ studio, page }) => {
  await offerFolder(page, { 'a.txt': 'one' });
  await studio.open({ files: {} });
  await join(page);
  const bar = page.getByRole('button', { name: /^project/ });
  await expect(folderState(page)).toHaveText('Up to date');
  await bar.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
  await studio.editor.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' mine');
  await expect.poll(async () => (await studio.workspace()).get('/a.txt')).toBe('one mine');
  await writeFolder(page, { 'a.txt': 'one theirs' });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(folderState(page)).toHaveText('1 file changed on both sides');
  expect((await studio.workspace()).get('/a.txt')).toBe('one mine');
  expect(await readFolder(page)).toEqual({ 'a.txt': 'one theirs' });
  await page.getByRole('button', { name: 'Keep the workspace’s version: /a.txt' }).click();
  await expect.poll(() => readFolder(page)).toEqual({ 'a.txt': 'one mine' });
  await expect(folderState(page)).toHaveText('Up to date');
});

test('[R20] moving the files pauses the folder, which keeps its files until the user resumes', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Change it');
  bench.model.script(question, [...replaceTurns('/a.txt', 'two'), { text: 'Changed.' }]);
  await offerFolder(page, { 'a.txt': 'one' });
  await studio.open({ files: {} });
  await join(page);
  const status = folderState(page);
  await expect(status).toHaveText('Up to date');
  await studio.say(question);
  await studio.settled();
  await expect.poll(() => readFolder(page)).toEqual({ 'a.txt': 'two' });
  const own = page.getByRole('article', { name: 'You' });
  await own.hover();
  await own.getByRole('button', { name: 'Restore files to here' }).click();
  await expect(status).toHaveText('Paused');
  expect((await studio.workspace()).get('/a.txt')).toBe('one');
  expect(await readFolder(page)).toEqual({ 'a.txt': 'two' });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => readFolder(page)).toEqual({ 'a.txt': 'one' });
  await page.getByRole('button', { name: /^project/ }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(status).toBeHidden();
});

test('a file that cannot be synced is shown with the reason, and the others are synced', async ({ studio, page }) => {
  await offerFolder(page, { docs: 'a file', 'b.txt': 'two' });
  await studio.open({ files: { '/docs/one.txt': 'one' } });
  await join(page);
  await expect(folderState(page)).toHaveText('Some files not synced');
  const skipped = page.getByRole('list', { name: 'Some files not synced' });
  await expect(skipped.getByRole('listitem')).toHaveText([/^\/docsOne side has a file/, /^\/docs\/one\.txtOne side/]);
  expect((await studio.workspace()).get('/b.txt')).toBe('two');
  await writeFolder(page, { docs: null });
  await expect(folderState(page)).toHaveText('Up to date');
  expect((await studio.workspace()).get('/docs/one.txt')).toBe('one');
});
