import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';
import { expectFiles, playTwoTurns, restoreFilesAt, scripts } from './test/two-turns.ts';

test('history is deleted in more workspaces than stay open', async ({ studio }) => {
  await studio.open();
  for (let n = 0; n < 6; n++) {
    const question = prompt(`Write ${n}`);
    await model.script(question, [{ calls: writeCall('/a.txt', `${n}`) }, { text: 'Written.' }]);
    if (n > 0) await page.getByRole('button', { name: 'New thread', exact: true }).click();
    await studio.say(question);
    await studio.settled(1);
  }
  await studio.openSettings('Data');
  await page.getByRole('combobox', { name: 'History to delete' }).click();
  await page.getByRole('option', { name: 'All history' }).click();
  const remove = page.getByRole('button', { name: 'Delete history', exact: true });
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Delete all history?' });
  await expect.element(question).toContainText('This permanently deletes 6 earlier versions across all workspaces.');
  await question.getByRole('button', { name: 'Delete history' }).click();
  await expect.element(page.getByText('the browser may free more later')).toBeInViewport();
  await remove.click();
  await expect.element(page.getByText('There’s no history to delete.')).toBeInViewport();
});

test('deleting history asks first, says what goes, and keeps the files', async ({ studio }) => {
  const { first, second } = await scripts();
  await studio.open();
  await playTwoTurns(studio, first, second);
  await studio.openSettings('Data');
  const remove = page.getByRole('button', { name: 'Delete history', exact: true });
  await remove.click();
  await expect.element(page.getByText('There’s no history older than 30 days.')).toBeInViewport();
  await page.getByRole('combobox', { name: 'History to delete' }).click();
  await page.getByRole('option', { name: 'All history' }).click();
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Delete all history?' });
  await expect.element(question).toContainText('This permanently deletes 2 earlier versions across all workspaces.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await remove.click();
  await question.getByRole('button', { name: 'Delete history' }).click();
  await expect.element(page.getByText('the browser may free more later')).toBeInViewport();
  await remove.click();
  await expect.element(page.getByText('There’s no history to delete.')).toBeInViewport();
  await keyboard.press('Escape');
  await expectFiles(studio, { '/a.txt': 'two' });
  await restoreFilesAt(studio, 'Assistant', 0);
  await expect.element(page.getByRole('dialog')).toContainText('history');
});

test('the timeline shows each step with its diff, and undoes one without affecting later ones', async ({ studio }) => {
  const { first, second } = await scripts();
  await studio.open();
  await playTwoTurns(studio, first, second);
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/mine.txt');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Timeline' }).click();
  const steps = page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('listitem')
    .filter({ has: page.locate('time') });
  await expect.element(steps).toHaveLength(3);
  await expect.element(steps.nth(0)).toContainText('You');
  await expect.element(steps.nth(1)).toContainText('Model wrote a.txt');
  await steps
    .nth(1)
    .getByRole('button', { name: /^Changed .*a\.txt/ })
    .click();
  await expect.element(studio.editor.locate('.monaco-diff-editor')).toContainText('one');
  await expect.element(studio.editor.locate('.monaco-diff-editor')).toContainText('two');
  // The second call changed what the first one made, so it stays.
  await steps.nth(2).getByRole('button', { name: /^Undo/ }).click();
  await expect.element(page.getByText(/^Not undone/)).toContainText('/a.txt');
  await expectFiles(studio, { '/a.txt': 'two', '/mine.txt': '' });
  await steps.nth(1).getByRole('button', { name: /^Undo/ }).click();
  await expectFiles(studio, { '/a.txt': 'one', '/mine.txt': '' });
  await expect.element(steps).toHaveLength(4);
  await steps
    .last()
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expectFiles(studio, { '/a.txt': 'one' });
});

test('a new thread has its own files, unless it continues in a workspace; deleting asks about them', async ({
  studio,
}) => {
  const { first } = await scripts();
  await studio.open();
  await studio.say(first);
  await studio.settled(1);
  await page.getByRole('button', { name: 'New thread' }).click();
  // A workspace without files isn't shown.
  await expect.element(page.getByRole('region', { name: 'Files' })).not.toBeInTheDocument();
  await studio.choose('Files for the new thread', 'Write one');
  await expect.element(studio.entry('a.txt')).toBeVisible();
  await studio.choose('Files for the new thread', 'Empty workspace');
  await expect.element(page.getByRole('region', { name: 'Files' })).not.toBeInTheDocument();
  // An example comes with the files that it is about.
  await page.getByRole('button', { name: /Look in src/ }).click();
  await expect.element(studio.entry('App.tsx')).toBeVisible();
  await studio.threads.getByRole('link', { name: /Write one/ }).click();
  await expect.element(studio.entry('a.txt')).toBeVisible();
  await expect.element(studio.entry('App.tsx')).not.toBeInTheDocument();
  // Deleting includes the files if the user chooses so, and can be undone.
  await page.getByRole('button', { name: /Options for Write one/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.element(page.getByRole('dialog')).toContainText('1 file');
  await page.getByRole('button', { name: 'Delete thread and files' }).click();
  await studio.undo.click();
  await expect.element(studio.entry('a.txt')).toBeVisible();
  // Files kept without a thread can still be used and deleted.
  await page.getByRole('button', { name: /Options for Write one/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete thread only' }).click();
  await page.getByRole('button', { name: 'New thread' }).click();
  await studio.choose('Files for the new thread', 'New workspace');
  await expect.element(studio.entry('a.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Workspace: New workspace' }).click();
  await page.getByRole('menuitem', { name: 'Delete workspace…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByRole('region', { name: 'Files' })).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Files for the new thread' }).click();
  await expect.element(page.getByRole('option', { name: 'New workspace', exact: true })).not.toBeInTheDocument();
});
