import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, writeCall } from './lib/prompt.ts';
import { openSettings, StudioPage } from './lib/studio-page.ts';

async function saveBackup(page: Page): Promise<string> {
  await openSettings(page, 'Data');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup' }).click();
  const file = await (await saved).path();
  await page.keyboard.press('Escape');
  return file;
}

async function restoreBackup(page: Page, backup: string, says: string): Promise<void> {
  await openSettings(page, 'Data');
  await page.getByLabel('Restore a backup').setInputFiles(backup);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText(says)).toBeVisible();
  await page.keyboard.press('Escape');
}

test('a backup saved during a call and restored elsewhere runs nothing, and continues on request', async ({
  studio,
  bench,
  page,
  browser,
}) => {
  const [running, asking] = [prompt('Run for ever'), prompt('Ask me')];
  bench.model.script(running, [
    { calls: evalCall('await vfs.writeFile("/ran.txt", "again"); await new Promise(() => {})') },
    { text: 'I see that it was interrupted.' },
  ]);
  bench.model.script(asking, [{ calls: evalCall('1 + 1') }, { text: 'Two.' }]);
  await studio.open();
  await studio.say(running);
  await studio.allow.click();
  await expect(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'running');
  await expect(page.getByRole('treeitem', { name: 'ran.txt' })).toBeVisible();
  await page.getByRole('treeitem', { name: 'ran.txt' }).press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('treeitem', { name: 'ran.txt' })).toBeHidden();
  await page.getByRole('button', { name: 'New thread' }).click();
  await studio.say(asking);
  await expect(studio.allow).toBeVisible();
  const backup = await saveBackup(page);
  const asked = bench.model.requests.length;

  const other = await browser.newContext({ baseURL: bench.url, locale: 'en-US' });
  const elsewhere = new StudioPage(await other.newPage());
  await elsewhere.page.goto('/');
  await openSettings(elsewhere.page, 'Data');
  await elsewhere.page.getByLabel('Restore a backup').setInputFiles(backup);
  const dialog = elsewhere.page.getByRole('dialog');
  await expect(dialog).toContainText('contains 2 threads and 0 files');
  await expect(dialog).toContainText('2 unfinished answers will be marked as interrupted');
  await expect(dialog).toContainText('Not restored: 1 tool approval.');
  await elsewhere.page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(dialog).toContainText('Restored 2 threads');
  await elsewhere.page.keyboard.press('Escape');
  for (const question of [asking, running]) {
    await elsewhere.threads.getByRole('link', { name: question }).click();
    await expect(elsewhere.answers.getByRole('alert')).toContainText('wasn’t finished when the thread was saved');
    await expect(elsewhere.call('browser_js_eval')).toHaveAttribute('data-state', 'interrupted');
    await expect(elsewhere.allow).toBeHidden();
  }
  // A reload resumes whatever is unfinished; here, nothing is.
  await elsewhere.page.reload();
  await expect(elsewhere.answers.getByRole('alert')).toBeVisible();
  expect(bench.model.requests).toHaveLength(asked);
  await expect(elsewhere.page.getByRole('treeitem', { name: 'ran.txt' })).toBeHidden();

  await elsewhere.answers.getByRole('button', { name: 'Retry' }).click();
  await expect(elsewhere.answers).toContainText('I see that it was interrupted.');
  expect(bench.model.requestsFor(running).at(-1)?.messages.at(-1)?.content).toContain('Error (interrupted)');
  expect(elsewhere.problems).toEqual([]);
  await other.close();
});

test('permissions in a backup are not restored', async ({ studio, page, bench, browser }) => {
  const question = prompt('Compute');
  bench.model.script(question, [{ calls: evalCall('1') }, { text: 'One.' }]);
  await studio.open();
  await studio.say(question);
  await page.getByRole('button', { name: 'Always allow', exact: true }).click();
  await studio.settled();
  const backup = await saveBackup(page);

  const other = await browser.newContext({ baseURL: bench.url, locale: 'en-US' });
  const elsewhere = await other.newPage();
  await elsewhere.goto('/');
  await restoreBackup(elsewhere, backup, 'Restored 1 thread');
  await openSettings(elsewhere, 'Permissions');
  await expect(elsewhere.getByRole('combobox', { name: 'Browser: Run code' })).toContainText('Ask');
  await other.close();
});

test('restoring a backup where it was saved overwrites nothing, and restores what was deleted', async ({
  studio,
  page,
  bench,
}) => {
  const [kept, deleted, later] = [prompt('Keep this'), prompt('Delete this'), prompt('Change it')];
  bench.model.script(kept, [{ calls: writeCall('/note.txt', 'as it was saved') }, { text: 'Written.' }]);
  bench.model.script(deleted, [{ calls: writeCall('/gone.txt', 'to be deleted') }, { text: 'Written.' }]);
  bench.model.script(later, [{ calls: writeCall('/note.txt', 'as it is now') }, { text: 'Changed.' }]);
  await studio.open();
  await studio.say(kept);
  await studio.settled();
  await page.getByRole('button', { name: 'New thread' }).click();
  await studio.say(deleted);
  await studio.settled();
  const backup = await saveBackup(page);

  await page.getByRole('button', { name: `Options for ${deleted}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete thread and files' }).click();
  await studio.threads.getByRole('link', { name: kept }).click();
  await studio.say(later);
  await studio.settled(2);
  await expect(studio.undo).toBeHidden({ timeout: 20_000 });

  await restoreBackup(page, backup, 'Restored 1 thread and 2 files');
  await expect(studio.threads.getByRole('link')).toHaveCount(2);
  await expect(studio.answers.last()).toContainText('Changed.');
  expect((await studio.workspace()).get('/note.txt')).toBe('as it is now');
  await studio.threads.getByRole('link', { name: deleted }).click();
  await expect(studio.answers).toContainText('Written.');
  await expect(page.getByRole('treeitem', { name: 'gone.txt' })).toBeVisible();
  // The earlier files of the kept thread become a separate workspace.
  await page.getByRole('button', { name: 'New thread' }).click();
  await page.getByRole('combobox', { name: 'Files for the new thread' }).click();
  await page.getByRole('option', { name: new RegExp(`^${kept} \\(\\d{4}-`) }).click();
  await page.getByRole('treeitem', { name: 'note.txt' }).click();
  await expect(studio.editor).toContainText('as it was saved');

  // A second time, only that copy's own files remain to be restored, and they are already here.
  await openSettings(page, 'Data');
  await page.getByLabel('Restore a backup').setInputFiles(backup);
  await expect(page.getByRole('dialog')).toContainText('2 threads are already here');
});
