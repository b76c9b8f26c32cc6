import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { shortenLimit } from '#components/test/timers.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';
import { UNDO_DELETE_MS } from '#studio/thread-trash.ts';
import { restoreBackup, saveBackup } from './test/backups.ts';

loadEditor();

test('restoring a backup where it was saved overwrites nothing, and restores what was deleted', async ({ studio }) => {
  const [kept, deleted, later] = [prompt('Keep this'), prompt('Delete this'), prompt('Change it')];
  await model.script(kept, [{ calls: writeCall('/note.txt', 'as it was saved') }, { text: 'Written.' }]);
  await model.script(deleted, [{ calls: writeCall('/gone.txt', 'to be deleted') }, { text: 'Written.' }]);
  await model.script(later, [{ calls: writeCall('/note.txt', 'as it is now') }, { text: 'Changed.' }]);
  await studio.open();
  await studio.say(kept);
  await studio.settled();
  await page.getByRole('button', { name: 'New thread' }).click();
  await studio.say(deleted);
  await studio.settled();
  const backup = await saveBackup(studio);

  shortenLimit(UNDO_DELETE_MS, 100);
  await page.getByRole('button', { name: `Options for ${deleted}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete thread and files' }).click();
  await studio.threads.getByRole('link', { name: kept }).click();
  await studio.say(later);
  await studio.settled(2);
  await expect.element(studio.undo).not.toBeInTheDocument();

  await restoreBackup(studio, backup, 'Restored 1 thread and 2 files');
  await expect.element(studio.threads.getByRole('link')).toHaveLength(2);
  await expect.element(studio.answers.last()).toContainText('Changed.');
  expect((await studio.workspace()).get('/note.txt')).toBe('as it is now');
  await studio.threads.getByRole('link', { name: deleted }).click();
  await expect.element(studio.answers).toContainText('Written.');
  await expect.element(studio.entry('gone.txt')).toBeVisible();
  // The earlier files of the kept thread become a separate workspace.
  await page.getByRole('button', { name: 'New thread' }).click();
  await page.getByRole('combobox', { name: 'Files for the new thread' }).click();
  await page.getByRole('option', { name: new RegExp(`^${kept} \\(\\d{4}-`) }).click();
  await studio.entry('note.txt').click();
  await expect.element(studio.editor).toContainText('as it was saved');

  // A second time, only that copy's own files remain to be restored, and they are already here.
  await studio.openSettings('Data');
  await page.getByLabelText('Restore a backup').upload(backup);
  await expect.element(page.getByRole('dialog')).toContainText('2 threads are already here');
});
