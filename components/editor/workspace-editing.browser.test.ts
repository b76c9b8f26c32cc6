import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt, replaceTurns, writeCall } from '#e2e/lib/prompt.ts';
import { loadEditor } from './test/load-editor.ts';

loadEditor();

/** Opens the studio with a file that says “one”, and types “ and two” after it. */
async function typeIntoFile(studio: StudioPage): Promise<void> {
  await studio.open({ files: { '/a.txt': 'one' } });
  await studio.openFile('a.txt', 'one');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('Control+End');
  await keyboard.type(' and two');
}

/** The content that the model leaves in /a.txt in `makeConflict`, apart from letters that were saved before. */
const THEIRS = 'before\nby the model 5\n';
const withoutTyped = (text: string | undefined): string | undefined => text?.replaceAll('x', '');

/**
 * Leaves /a.txt open with unsaved letters that conflict with a write of the model. The model writes five times, because a
 * write just after a save meets no unsaved edit and is shown at once.
 */
async function makeConflict(studio: StudioPage): Promise<void> {
  const question = prompt('Overwrite');
  const conflict = page.getByText('changed while you had unsaved edits');
  const write = (n: number) => {
    const find = n === 1 ? '\n' : `by the model ${n - 1}`;
    const replace = n === 1 ? '\nby the model 1\n' : `by the model ${n}`;
    return { calls: [{ name: 'edit_file', arguments: JSON.stringify({ path: '/a.txt', find, replace }) }] };
  };
  await model.script(question, [
    { ...write(1), hold: { after: 0, gate: question } },
    ...[2, 3, 4, 5].map(write),
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.txt': 'before\n' } });
  await studio.openFile('a.txt', 'before');
  await studio.say(question);
  await studio.editor.locate('.view-line').first().click();
  await model.open(question);
  for (let n = 0; n < 1_000 && conflict.query() === null; n++) await keyboard.insertText('xx');
  await expect.element(conflict).toBeVisible();
  await studio.settled();
}

describe('workspace', () => {
  test('a file the model writes is in the tree and opens in the editor', async ({ studio }) => {
    const question = prompt('Create Button.tsx');
    await model.script(question, [
      { calls: writeCall('/Button.tsx', 'export const Button = 1;\n') },
      { text: 'Created.' },
    ]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.openFile('Button.tsx', 'export const Button = 1;');
    await page.getByRole('button', { name: 'Close Button.tsx' }).click();
    await studio.call('write_file').getByRole('button').first().click();
    await studio.call('write_file').getByRole('button', { name: 'Open file' }).click();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('export const Button = 1;');
  });

  test('edits are saved, and a change by the model shows at once with the cursor where it was', async ({ studio }) => {
    const question = prompt('Change the end');
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
    await model.script(question, [
      {
        calls: [
          {
            name: 'edit_file',
            arguments: JSON.stringify({ path: '/notes.md', find: 'line 19', replace: 'line 19\nadded by the model' }),
          },
        ],
      },
      { text: 'Done.' },
    ]);
    await studio.open({ files: { '/notes.md': `${lines}\n` } });
    await studio.openFile('notes.md', 'line 3');
    await studio.editor.locate('.view-line').nth(2).click();
    await keyboard.press('End');
    await keyboard.type(' edited');
    await expect.poll(async () => (await studio.workspace()).get('/notes.md')).toContain('line 2 edited');
    await studio.say(question);
    await studio.settled();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('added by the model');
    await studio.editor.locate('.view-line').nth(2).click();
    await keyboard.press('End');
    await keyboard.type('!');
    await expect.poll(async () => (await studio.workspace()).get('/notes.md')).toContain('line 2 edited!');
  });

  test('[R19] a change by the model never overwrites unsaved edits: the user decides', async ({ studio }) => {
    await makeConflict(studio);
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
    await page.getByRole('button', { name: 'Keep my edits' }).click();
    // The keys that were faster than the model, however many, and nothing else.
    const saved = async () => (await studio.workspace()).get('/a.txt') ?? '';
    await expect.poll(saved).toContain('x');
    expect((await saved()).replaceAll('x', '')).toMatch(/^before\n(by the model \d\n)?$/);
  });

  test('[R20] edits that wait for the user are in the history, and the file is unchanged', async ({ studio }) => {
    await makeConflict(studio);
    await page.getByRole('button', { name: 'Timeline' }).click();
    const steps = page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ has: page.locate('time') });
    // The typed text, and the step that undoes it.
    await expect.element(steps.nth(1)).toContainText('You');
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
    await steps
      .nth(1)
      .getByRole('button', { name: /a\.txt/ })
      .click();
    await expect.element(studio.editor.locate('.monaco-diff-editor')).toContainText('xx');
    await page.getByRole('button', { name: 'a.txt (unsaved)' }).click();
    await expect.element(page.getByText('changed while you had unsaved edits')).toBeVisible();
  });

  test('[R19] text that was not saved when the page closed is saved beside the file, with a notice', async ({
    studio,
  }) => {
    await makeConflict(studio);
    await studio.reopen();
    await expect.element(page.getByText('/a.txt changed while you were editing it')).toBeVisible();
    const files = await studio.workspace();
    expect(withoutTyped(files.get('/a.txt'))).toBe(THEIRS);
    expect(files.get('/a.txt.unsaved')).toContain('x');
    await page.getByRole('button', { name: 'Open file' }).click();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('x');
  });

  for (const [name, eol] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    test(`a file keeps its line endings, and opening it does not change it (${name})`, async ({ studio }) => {
      const question = prompt('Write it anew');
      await model.script(question, [...replaceTurns('/a.txt', `one${eol}two${eol}three${eol}`), { text: 'Done.' }]);
      await studio.open({ files: { '/a.txt': `one${eol}two${eol}` } });
      await studio.openFile('a.txt', 'two');
      await studio.say(question);
      await studio.settled();
      await expect.element(studio.editor.locate('.view-lines')).toContainText('three');
      await expect.element(studio.editor.getByRole('alert')).not.toBeInTheDocument();
      await studio.editor.locate('.view-line').first().click();
      await keyboard.press('Control+Home');
      await keyboard.type('zero ');
      await expect
        .poll(async () => (await studio.workspace()).get('/a.txt'))
        .toBe(`zero one${eol}two${eol}three${eol}`);
    });
  }

  test.for([
    ['one stray CRLF', '#!/bin/sh\necho a\r\necho b\n', '#!/bin/sh\necho a\r\necho b\nZ'],
    ['line breaks within cells', 'a,"x\ny"\r\nb,c\r\n', 'a,"x\ny"\r\nb,c\r\nZ'],
    ['an old Mac', 'one\rtwo\r', 'one\rtwo\rZ'],
  ] as const)('typing leaves all other line endings as they are: %s', async ([, before, after], { studio }) => {
    await studio.open({ files: { '/a.txt': before } });
    await studio.openFile('a.txt', before.split(/[\r\n]/, 1)[0] ?? '');
    await studio.editor.locate('.view-line').first().click();
    await keyboard.press('Control+End');
    await keyboard.type('Z');
    await expect.poll(async () => (await studio.workspace()).get('/a.txt')).toBe(after);
  });

  test('the open tabs are restored after a reload', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'one', '/b.txt': 'two' } });
    for (const name of ['a.txt', 'b.txt']) await studio.files.getByRole('treeitem', { name }).click();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('two');
    await studio.reopen();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('two');
    await studio.editor.getByRole('button', { name: 'a.txt', exact: true }).click();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('one');
  });

  test('a tab follows its renamed file, with the unsaved text', async ({ studio }) => {
    await typeIntoFile(studio);
    await page.getByRole('button', { name: 'Options for /a.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('textbox', { name: 'New name for a.txt' });
    // The keyboard begins in the field.
    await expect.element(name).toHaveFocus();
    await name.fill('b.txt');
    await keyboard.press('Enter');
    await expect.element(studio.editor.getByRole('button', { name: 'b.txt', exact: true })).toBeVisible();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('one and two');
    expect(await studio.workspace()).toEqual(new Map([['/b.txt', 'one and two']]));
  });

  test('closing a tab never drops edits that wait for a decision without asking', async ({ studio }) => {
    await makeConflict(studio);
    await studio.editor.getByRole('button', { name: 'Close a.txt' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard your edits to a.txt?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(studio.editor.locate('.view-lines')).toContainText('x');
    await studio.editor.getByRole('button', { name: 'Close a.txt' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect.element(studio.editor.getByRole('button', { name: 'Close a.txt' })).not.toBeInTheDocument();
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
  });

  test('files and folders are created, renamed and deleted', async ({ studio }) => {
    await studio.open({ files: { '/src/a.ts': 'a' } });
    await page.getByRole('button', { name: 'New file', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/docs/new file.md');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.element(studio.files.getByRole('treeitem', { name: 'docs' })).toBeVisible();
    await page.getByRole('button', { name: 'Options for /src', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'New name for src' }).fill('source');
    await keyboard.press('Enter');
    await expect
      .poll(async () => [...(await studio.workspace()).keys()].sort())
      .toEqual(['/docs/new file.md', '/source/a.ts']);
    await page.getByRole('button', { name: 'Options for /docs', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => [...(await studio.workspace()).keys()]).toEqual(['/source/a.ts']);
    await page.getByRole('button', { name: 'New file', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/../x');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.element(page.getByRole('dialog').getByRole('alert')).toContainText('isn’t valid in the workspace');
  });
});

test('a file with separators of lines that no keyboard has is opened without a question, and keeps them', async ({
  studio,
}) => {
  const confirm = vi.spyOn(window, 'confirm').mockReturnValue(true);
  onTestFinished(() => confirm.mockRestore());
  await studio.open({ files: { '/a.txt': 'one\u2028two\nthree\n' } });
  await studio.openFile('a.txt', 'three');
  await studio.editor.locate('.view-line').first().click();
  await keyboard.press('ControlOrMeta+End');
  await keyboard.type('Z');
  await expect.poll(async () => (await studio.workspace()).get('/a.txt')).toBe('one\u2028two\nthree\nZ');
  expect(confirm).not.toHaveBeenCalled();
});
