import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';
import { expectFiles, playTwoTurns, restoreFilesAt, scripts } from './test/two-turns.ts';

loadEditor();

/** Edits the user's n-th message, counted from 0, and sends it. */
async function editMessage(index: number, text: string): Promise<void> {
  const message = page.getByRole('article', { name: 'You' }).nth(index);
  await message.hover();
  await message.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill(text);
  await page.getByRole('article', { name: 'You' }).nth(index).getByRole('button', { name: 'Send' }).click();
}

async function goToVersion(which: 'Previous' | 'Next'): Promise<void> {
  const message = page.getByRole('article', { name: 'You' }).last();
  await message.hover();
  await message.getByRole('button', { name: `${which} version` }).click();
}

test('[R20] an edited message is answered with the earlier files, and each version restores its own', async ({
  studio,
}) => {
  const { first, second, edited } = await scripts();
  await studio.open();
  await playTwoTurns(studio, first, second);
  await expectFiles(studio, { '/a.txt': 'two' });
  await editMessage(1, edited);
  await studio.settled(3);
  await expectFiles(studio, { '/a.txt': 'one', '/b.txt': 'right' });
  await goToVersion('Previous');
  await expectFiles(studio, { '/a.txt': 'two' });
  await goToVersion('Next');
  await expectFiles(studio, { '/a.txt': 'one', '/b.txt': 'right' });
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  // It survives a reload.
  await studio.reopen();
  await goToVersion('Previous');
  await expectFiles(studio, { '/a.txt': 'two' });
});

test('[R20] regenerating starts with the files as they were for the message', async ({ studio }) => {
  const question = prompt('Count the files');
  const list = [{ name: 'list_directory', arguments: '{"path":"/"}' }];
  await model.script(question, [{ calls: list }, { calls: writeCall('/new.txt', 'n') }, { text: 'Done.' }]);
  await studio.open({ files: { '/old.txt': 'o' } });
  await studio.say(question);
  await studio.settled(1);
  await studio.answers.hover();
  await studio.answers.getByRole('button', { name: 'Regenerate' }).click();
  await studio.settled(2);
  const results = (await studio.turns()).map(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' && part.toolName === 'list_directory' ? [part.result] : [])),
  );
  // The second answer sees the same files as the first one.
  expect(results[1]).toMatchObject([{ output: { content: 'old.txt' } }]);
  await expectFiles(studio, { '/old.txt': 'o', '/new.txt': 'n' });
});

test('[R20] manual edits are listed before the files move, recorded with their branch, and restored with it', async ({
  studio,
}) => {
  const { first, second, edited } = await scripts();
  await studio.open();
  await playTwoTurns(studio, first, second);
  await studio.openFile('a.txt', 'two');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('Control+End');
  await keyboard.type(' by hand');
  // Immediately: the typed text is not in any file yet.
  await editMessage(1, edited);
  const dialog = page.getByRole('dialog', { name: 'Changes that will be undone' });
  await expect.element(dialog).toContainText('/a.txt');
  await expect.element(dialog).toContainText('by you');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // The message is not lost, and nothing has happened.
  await expect.element(studio.message).toHaveValue(edited);
  await expectFiles(studio, { '/a.txt': 'two by hand' });
  await studio.message.fill('');
  await editMessage(1, edited);
  await dialog.getByRole('button', { name: 'Restore files' }).click();
  await studio.settled(3);
  await expectFiles(studio, { '/a.txt': 'one', '/b.txt': 'right' });
  // The written file may have been shown while it was being written.
  await studio.entry('a.txt').click();
  await expect.element(studio.editor.locate('.view-lines')).toHaveText('one');
  await goToVersion('Previous');
  await expectFiles(studio, { '/a.txt': 'two by hand' });
});

test('[R20] files can stay as they are while the conversation switches to another branch', async ({ studio }) => {
  const { first, second, edited } = await scripts();
  await studio.open();
  await playTwoTurns(studio, first, second);
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/mine.txt');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.element(studio.entry('mine.txt')).toBeVisible();
  await editMessage(1, edited);
  await page.getByRole('button', { name: 'Keep current files' }).click();
  await studio.settled(3);
  await expectFiles(studio, { '/a.txt': 'two', '/mine.txt': '', '/b.txt': 'right' });
});

test('files can be restored to any message, and back', async ({ studio }) => {
  const { first, second } = await scripts();
  await studio.open({ files: { '/a.txt': 'zero' } });
  await playTwoTurns(studio, first, second);
  await restoreFilesAt(studio, 'Assistant', 0);
  await expectFiles(studio, { '/a.txt': 'one' });
  await expect.element(page.getByText('Files restored to their state at that message.')).toBeVisible();
  await studio.undo.click();
  await expectFiles(studio, { '/a.txt': 'two' });
  await restoreFilesAt(studio, 'You', 0);
  await expectFiles(studio, { '/a.txt': 'zero' });
  await restoreFilesAt(studio, 'You', 0);
  await expect.element(page.getByText('The files already match that message.')).toBeVisible();
  expect(await studio.turns()).toHaveLength(2);
});

test('[R20] no files move while a call of another thread is using them', async ({ studio }) => {
  const { first, second } = await scripts();
  const other = prompt('Compute something');
  await model.script(other, [
    { calls: [{ name: 'browser_js_eval', arguments: '{"code":"1"}' }] },
    { text: 'Computed.' },
  ]);
  await studio.open();
  await playTwoTurns(studio, first, second);
  await page.getByRole('button', { name: 'Workspace: Write one' }).click();
  await page.getByRole('menuitem', { name: 'New thread with these files' }).click();
  await expect.element(page.getByRole('heading', { name: 'New thread', level: 1 })).toBeVisible();
  await studio.say(other);
  await expect.element(studio.allow).toBeVisible();
  await studio.threads.getByRole('link', { name: /Write one/ }).click();
  await restoreFilesAt(studio, 'Assistant', 0);
  const dialog = page.getByRole('dialog', { name: 'These files are in use' });
  await expect.element(dialog).toContainText('Compute something');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(dialog).toContainText('Compute something');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expectFiles(studio, { '/a.txt': 'two' });
  await studio.threads.getByRole('link', { name: /Compute something/ }).click();
  await studio.allow.click();
  await studio.settled(1);
  await studio.threads.getByRole('link', { name: /Write one/ }).click();
  await restoreFilesAt(studio, 'Assistant', 0);
  await expectFiles(studio, { '/a.txt': 'one' });
});

test('a suggestion that needs files adds them to a workspace without them, and changes no other', async ({
  studio,
}) => {
  await studio.open({ files: { '/notes.txt': 'mine', '/src/Counter.tsx': 'my counter' } });
  await expect.element(page.getByText('(adds a small example project first)')).toBeVisible();
  await page.getByRole('button', { name: /Look in src/ }).click();
  await studio.settled();
  const files = await studio.workspace();
  expect([...files.keys()].sort()).toEqual(['/notes.txt', '/src/App.tsx', '/src/Counter.tsx']);
  expect([files.get('/notes.txt'), files.get('/src/Counter.tsx')]).toEqual(['mine', 'my counter']);
});
