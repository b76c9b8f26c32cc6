import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard, mouse, resizeWindow } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, readCall, writeCall } from '#e2e/lib/prompt.ts';
import { storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { expectAccessible } from './test/accessible.ts';

loadEditor();

test('what completes and surrounds a message is accessible', async ({ studio }) => {
  await studio.open({ files: { '/src/a.tsx': 'export const a = 1;' } });
  await studio.openTools();
  await expectAccessible();
  await keyboard.press('Escape');
  await expect.element(studio.files.getByRole('treeitem', { name: 'a.tsx' })).toBeVisible();
  for (const text of ['@a', '/']) {
    await studio.message.fill(text);
    await expect.element(page.getByRole('listbox')).toBeVisible();
    await expectAccessible();
  }
  await studio.message.fill('');
  await page.getByRole('button', { name: 'Attach files' }).hover();
  await expect.element(page.getByText('Attach files')).toBeVisible();
  await expectAccessible();
  await keyboard.press('Control+b');
  await expect.element(page.getByRole('button', { name: 'Show threads' })).toBeVisible();
  await expectAccessible();
});

test('a list of threads with folders, and a selection, is accessible', async ({ studio }) => {
  const threads = ['a', 'b', 'c'].map((id) => storedThread(id, [userMessage(`${id}-1`, `Question ${id}`)]));
  await studio.open({ threads });
  await page.getByRole('button', { name: 'Thread list menu' }).click();
  await expectAccessible();
  await page.getByRole('menuitem', { name: 'New folder…' }).click();
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
  await expectAccessible();
  await page.getByRole('button', { name: 'Create folder' }).click();
  await studio.threads
    .getByRole('link')
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await expectAccessible();
});

test('the preview and the console are accessible', async ({ studio }) => {
  await studio.open({ files: { '/index.html': '<title>Page</title><h1>Hello</h1>' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect.element(page.locate('[data-preview="running"]')).toBeVisible();
  await expectAccessible();
  await page.getByRole('tab', { name: 'Console' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Run JavaScript in this thread’s sandbox' })).toBeVisible();
  await expectAccessible();
});

test('a summary, and where the context goes, are accessible', async ({ studio }) => {
  const [first, second] = [prompt('Tell me a story.'), prompt('Another one.')];
  await model.scriptSummary(first);
  await model.script(first, [{ text: 'Once upon a time. '.repeat(100) }]);
  await model.script(second, [{ text: 'No.' }]);
  await studio.open();
  await studio.say(first);
  await studio.settled();
  await page.getByRole('button', { name: 'Thread options' }).click();
  await page.getByRole('menuitem', { name: 'Summarize now' }).click();
  await expect.element(page.getByText('Earlier messages will be summarized')).toBeVisible();
  await expectAccessible();
  await studio.say(second);
  await studio.settled(2);
  const summary = page.getByRole('region', { name: 'Earlier messages summarized' });
  await summary.getByRole('button', { name: 'Earlier messages summarized' }).click();
  await expectAccessible();
  await summary.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(summary).toContainText('Undone.');
  await studio.chooseAction('View prompt');
  await expect.element(page.getByRole('img', { name: /^Context: / })).toBeVisible();
  await expectAccessible();
});

test('the settings of a model and its examination are accessible', async ({ studio }) => {
  const server = await startServer('defective model', 'leaks template tokens');
  onTestFinished(() => server.stop());
  await studio.open();
  await keyboard.press('ControlOrMeta+k');
  await keyboard.type('connect');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'API key or address' }).fill(await server.get('url'));
  await expectAccessible();
  await keyboard.press('Enter');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await studio.choose('Model', 'able');
  await studio.choose('Tool calling', 'Model settings');
  await expectAccessible();
  await page.getByRole('button', { name: 'Run check', exact: true }).click();
  await expect.element(page.getByRole('button', { name: 'Use recommendations' })).toBeVisible();
  await mouse.move(0, 0);
  await expectAccessible();
});

test('the editor, the dialogs and the palette are accessible', async ({ studio }) => {
  await studio.open({ files: { '/src/a.tsx': '// a comment\nexport const a = "text" + 1;\n' } });
  await studio.openFile('a.tsx', 'export const a');
  await expectAccessible();
  await studio.openSettings('General');
  for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
    await tab.click();
    await expectAccessible();
  }
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await page.getByRole('textbox', { name: 'Pattern for a new rule' }).fill('.env*');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect.element(page.getByRole('listitem', { name: 'Rule for .env*' })).toBeVisible();
  await expectAccessible();
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await expectAccessible();
});

test('a review, a note, and what an answer has changed are accessible', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [
    { calls: readCall('/a.ts') },
    { calls: writeCall('/a.ts', 'export const a = 2;\n') },
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.ts': 'export const a = 1;\n' } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  await page.getByRole('button', { name: 'Deny with a note…' }).click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('region', { name: 'Review: /a.ts' });
  await expect.element(review.locate('.view-lines').last()).toContainText('a = 2');
  await expectAccessible();
  await review.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  await page.getByRole('group', { name: 'Changes in this answer' }).getByRole('button', { name: 'Review' }).click();
  await expectAccessible();
});

test('both sides of a review keep their names when they get more room, and less', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [{ calls: readCall('/a.ts') }, { calls: writeCall('/a.ts', 'export const a = 2;\n') }]);
  await studio.open({ files: { '/a.ts': 'export const a = 1;\n' } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  await page.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('region', { name: 'Review: /a.ts' });
  const columns = review.locate('.monaco-diff-editor.side-by-side');
  for (const width of [2_800, 1_440]) {
    await resizeWindow(width, 900);
    await expect.element(columns).toHaveLength(width === 1_440 ? 0 : 1);
    await expect.element(review.getByRole('textbox', { name: 'Text of /a.ts before the changes' })).toBeInTheDocument();
    await expect
      .element(review.getByRole('textbox', { name: 'Proposed text of /a.ts, which you can edit' }))
      .toBeInTheDocument();
  }
});
