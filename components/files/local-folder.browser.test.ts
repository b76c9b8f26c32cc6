import { afterEach, beforeEach, expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { shortenLimit } from '#components/test/timers.ts';
import { prompt, replaceTurns, writeCall } from '#e2e/lib/prompt.ts';
import { LOOK_EVERY_MS } from '#studio/local-folder/local-folder.ts';

loadEditor();

/** A folder in the browser's private file system (OPFS), which stands for one on the computer. */
const projectFolder = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true });

beforeEach(async () => {
  shortenLimit(LOOK_EVERY_MS, 200);
  vi.stubGlobal('showDirectoryPicker', projectFolder);
  await projectFolder();
  await (await navigator.storage.getDirectory()).removeEntry('project', { recursive: true });
});

afterEach(() => vi.unstubAllGlobals());

async function writeFolder(files: Record<string, string | null>): Promise<void> {
  const folder = await projectFolder();
  for (const [name, text] of Object.entries(files)) {
    if (text === null) {
      await folder.removeEntry(name);
      continue;
    }
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await writable.write(text);
    await writable.close();
  }
}

/** The texts of the folder's files by name; undefined if a file is missing for a moment because it is being replaced. */
async function readFolder(): Promise<Record<string, string> | undefined> {
  try {
    const found: Record<string, string> = {};
    for await (const [name, handle] of (await projectFolder()).entries())
      if (handle instanceof FileSystemFileHandle) found[name] = await (await handle.getFile()).text();
    return found;
  } catch {
    return undefined;
  }
}

/** The text of the folder bar, including what screen readers announce. */
const folderState = page.getByRole('region', { name: 'Files' }).getByRole('status');

async function join(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace: / }).click();
  await page.getByRole('menuitem', { name: 'Sync with a local folder…' }).click();
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
}

test('a local folder and the workspace are synced, and stay in sync both ways', async ({ studio }) => {
  const question = prompt('Write a file');
  await model.script(question, [{ calls: writeCall('/new.txt', 'from the model') }, { text: 'Written.' }]);
  await writeFolder({ 'disk.txt': 'disk', 'both.txt': 'of the folder' });
  await studio.open({ files: { '/mine.txt': 'mine', '/both.txt': 'of the workspace' } });
  await join();
  await expect.element(folderState).toHaveText('Up to date');
  const same = { 'disk.txt': 'disk', 'both.txt': 'of the folder', 'mine.txt': 'mine' };
  expect(await readFolder()).toEqual(same);
  expect(Object.fromEntries(await studio.workspace())).toEqual(
    Object.fromEntries(Object.entries(same).map(([name, text]) => [`/${name}`, text])),
  );
  await studio.say(question);
  await studio.settled();
  await expect.poll(readFolder).toMatchObject({ 'new.txt': 'from the model' });
  await writeFolder({ 'disk.txt': 'changed by another program', 'mine.txt': null });
  await expect.poll(async () => (await studio.workspace()).get('/disk.txt')).toBe('changed by another program');
  await expect.poll(async () => (await studio.workspace()).has('/mine.txt')).toBe(false);
  // The next visit continues where it was.
  await studio.reopen();
  await writeFolder({ 'disk.txt': 'changed meanwhile' });
  await expect.poll(async () => (await studio.workspace()).get('/disk.txt')).toBe('changed meanwhile');
});

test('a file changed on both sides waits for the user, and neither version is lost', async ({ studio }) => {
  await writeFolder({ 'a.txt': 'one' });
  await studio.open();
  await join();
  const bar = page.getByRole('button', { name: /^project/ });
  await expect.element(folderState).toHaveText('Up to date');
  await bar.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await studio.openFile('a.txt', 'one');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('Control+End');
  await keyboard.type(' mine');
  await expect.poll(async () => (await studio.workspace()).get('/a.txt')).toBe('one mine');
  await writeFolder({ 'a.txt': 'one theirs' });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.element(folderState).toHaveText('1 file changed on both sides');
  expect((await studio.workspace()).get('/a.txt')).toBe('one mine');
  expect(await readFolder()).toEqual({ 'a.txt': 'one theirs' });
  await page.getByRole('button', { name: 'Keep the workspace’s version: /a.txt' }).click();
  await expect.poll(readFolder).toEqual({ 'a.txt': 'one mine' });
  await expect.element(folderState).toHaveText('Up to date');
});

test('[R20] moving the files pauses the folder, which keeps its files until the user resumes', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [...replaceTurns('/a.txt', 'two'), { text: 'Changed.' }]);
  await writeFolder({ 'a.txt': 'one' });
  await studio.open();
  await join();
  await expect.element(folderState).toHaveText('Up to date');
  await studio.say(question);
  await studio.settled();
  await expect.poll(readFolder).toEqual({ 'a.txt': 'two' });
  const own = page.getByRole('article', { name: 'You' });
  await own.hover();
  await own.getByRole('button', { name: 'Restore files to this point' }).click();
  await expect.element(folderState).toHaveText('Paused');
  expect((await studio.workspace()).get('/a.txt')).toBe('one');
  expect(await readFolder()).toEqual({ 'a.txt': 'two' });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(readFolder).toEqual({ 'a.txt': 'one' });
  await page.getByRole('button', { name: /^project/ }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect.element(folderState).not.toBeInTheDocument();
});

test('a file that cannot be synced is shown with the reason, and the others are synced', async ({ studio }) => {
  await writeFolder({ docs: 'a file', 'b.txt': 'two' });
  await studio.open({ files: { '/docs/one.txt': 'one' } });
  await join();
  await expect.element(folderState).toHaveText('Some files not synced');
  const skipped = page.getByRole('list', { name: 'Some files not synced' }).getByRole('listitem');
  await expect.element(skipped).toHaveLength(2);
  await expect.element(skipped.nth(0)).toHaveText(/^\/docsOne side has a file/);
  await expect.element(skipped.nth(1)).toHaveText(/^\/docs\/one\.txtOne side/);
  expect((await studio.workspace()).get('/b.txt')).toBe('two');
  await writeFolder({ docs: null });
  await expect.element(folderState).toHaveText('Up to date');
  expect((await studio.workspace()).get('/docs/one.txt')).toBe('one');
});
