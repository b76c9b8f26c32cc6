import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';

loadEditor();

describe('focus', () => {
  test('returns to where it was when a dialog closes, and stays in a card that was answered', async ({ studio }) => {
    const question = prompt('Compute');
    await model.script(question, [{ calls: evalCall('6 * 7') }, { text: '42.' }]);
    await studio.open();
    await focus(studio.message);
    await keyboard.press('Control+k');
    await expect.element(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await keyboard.press('Escape');
    await expect.element(studio.message).toHaveFocus();
    const settings = page.getByRole('button', { name: 'Settings' });
    await settings.click();
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' }).click();
    await expect.element(settings).toHaveFocus();
    await studio.say(question);
    await focus(studio.allow);
    await keyboard.press('Enter');
    await studio.settled();
    await expect.element(studio.call('browser_js_eval').getByRole('button').first()).toHaveFocus();
    await page.getByRole('button', { name: /^Options for Compute/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  });
});

describe('what is typed', () => {
  test('after a new thread was begun is in its message box, however it was begun', async ({ studio }) => {
    await studio.open({ threads: [longThread('long', 2)], thread: 'long' });
    await page.getByRole('button', { name: 'New thread' }).click();
    await keyboard.type('by the button');
    await expect.element(studio.message).toHaveValue('by the button');
    await studio.threads.getByRole('link').click();
    await keyboard.press('ControlOrMeta+k');
    await keyboard.type('New thread');
    await keyboard.press('Enter');
    await expect.element(studio.message).toHaveFocus();
    await keyboard.type(', and by the palette');
    await expect.element(studio.message).toHaveValue('by the button, and by the palette');
  });

  test('after a thread was opened, or where nothing takes it, is in the message box', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'one' }, threads: [longThread('long', 2)] });
    await studio.threads.getByRole('link').click();
    await keyboard.type('hello');
    await expect.element(studio.message).toHaveValue('hello');
    await focus(page.getByRole('button', { name: 'Settings' }));
    await keyboard.type('there');
    await expect.element(studio.message).toHaveValue('hellothere');
    // The tree finds its files by what is typed.
    await studio.entry('a.txt').click();
    await keyboard.type('a');
    await expect.element(studio.message).toHaveValue('hellothere');
  });
});

describe('keys', () => {
  test('hiding the workspace gives its focus to the message box, and showing it gives it back', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'one' } });
    await studio.openFile('a.txt', 'one');
    await studio.editor.locate('.view-lines').click();
    await keyboard.press('ControlOrMeta+J');
    await expect.element(studio.message).toHaveFocus();
    await keyboard.type('typed here');
    await expect.element(studio.message).toHaveValue('typed here');
    await keyboard.press('ControlOrMeta+J');
    await expect.element(studio.editor.locate('.monaco-editor')).toHaveClass(/focused/);
    // From elsewhere, nothing moves.
    await focus(studio.message);
    await keyboard.press('ControlOrMeta+J');
    await keyboard.press('ControlOrMeta+J');
    await expect.element(studio.message).toHaveFocus();
  });

  test('the palette, the help and the panes respond to their shortcuts', async ({ studio }) => {
    await studio.open({ files: { '/src/needle.ts': 'const hay = "needle in it";' } });
    const query = page.getByRole('dialog').getByRole('combobox');
    await keyboard.press('Control+k');
    await query.fill('keyboard');
    await keyboard.press('Enter');
    await expect.element(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible();
    await keyboard.press('Escape');
    await keyboard.press('Control+p');
    await expect.element(query).toHaveFocus();
    // Requested again while it is open, it still gets what is typed.
    await keyboard.press('Control+p');
    await keyboard.type('needle');
    await expect.element(query).toHaveValue('needle');
    await keyboard.press('Enter');
    await expect.element(page.getByRole('button', { name: 'Close needle.ts' })).toBeVisible();
    await page.getByRole('heading', { name: 'New thread' }).click();
    await keyboard.press('Control+Shift+F');
    const search = page.getByRole('textbox', { name: 'Search in files' });
    await expect.element(search).toHaveFocus();
    await search.fill('needle in');
    await expect.element(page.getByRole('region', { name: 'Files' }).getByText('/src/needle.ts')).toBeVisible();
    await page.getByRole('heading', { name: 'New thread' }).click();
    await expect.element(studio.threads).toBeVisible();
    await keyboard.press('Control+b');
    await expect.element(studio.threads).not.toBeInTheDocument();
    await keyboard.press('Control+b');
    await expect.element(studio.threads).toBeVisible();
    await keyboard.press('Control+j');
    await expect.element(studio.editor).not.toBeInTheDocument();
  });

  test('Enter opens a file that is listed only after it was pressed', async ({ studio }) => {
    await studio.open({ files: { '/a.ts': '' } });
    await keyboard.press('Control+p');
    const query = page.getByRole('dialog').getByRole('combobox');
    await expect.element(query).toHaveFocus();
    await keyboard.type('needle');
    await expect.element(page.getByText('No results.')).toBeVisible();
    await keyboard.press('Enter');
    const { workspaces, threads } = await studio.studio();
    const { fileSystem } = await workspaces.open(threads.workspaceId);
    await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile('/needle.ts', new Uint8Array()));
    await expect.element(page.getByRole('button', { name: 'Close needle.ts' })).toBeVisible();
  });
});

test('the palette keeps the focus when a menu that is closing gives it to its button', async ({ studio }) => {
  await studio.open();
  await focus(studio.message);
  await keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await expect.element(palette).toHaveFocus();
  (await page.getByRole('button', { name: 'Attach files', includeHidden: true }).findElement()).focus();
  await expect.element(palette).toHaveFocus();
});
