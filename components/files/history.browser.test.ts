import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt, replaceTurns, writeCall } from '#e2e/lib/prompt.ts';

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

const restoreFilesAt = async (studio: StudioPage, name: 'You' | 'Assistant', index: number) => {
  const message = page.getByRole('article', { name }).nth(index);
  if (name === 'Assistant') return studio.chooseAction('Restore files to this point', message);
  await message.hover();
  await message.getByRole('button', { name: 'Restore files to this point' }).click();
};

/** Two turns that write `/a.txt`, and an alternative answer to the second message that writes `/b.txt`. */
async function scripts() {
  const [first, second, edited] = [prompt('Write one'), prompt('Write two'), prompt('Write another')];
  await model.script(first, [...replaceTurns('/a.txt', 'one'), { text: 'One.' }]);
  await model.script(second, [{ calls: writeCall('/a.txt', 'two') }, { text: 'Two.' }]);
  await model.script(edited, [{ calls: writeCall('/b.txt', 'right') }, { text: 'Another.' }]);
  return { first, second, edited };
}

async function playTwoTurns(studio: StudioPage, first: string, second: string): Promise<void> {
  await studio.say(first);
  await studio.settled(1);
  await studio.say(second);
  await studio.settled(2);
}

const expectFiles = (studio: StudioPage, files: Record<string, string>) =>
  expect.poll(async () => Object.fromEntries(await studio.workspace())).toEqual(files);

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
