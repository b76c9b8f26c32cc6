import { describe, expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { downloadOf, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { restoreBackup, saveBackup } from './test/backups.ts';

describe('data', () => {
  test('a backup of threads and files is saved, and restored in another browser', async ({ studio }) => {
    const question = prompt('Remember this');
    await model.script(question, [{ calls: evalCall('42') }, { text: 'It is kept.' }]);
    await studio.open({ files: { '/docs/你好.md': 'kept' } });
    await studio.say(question);
    await studio.allow.click();
    await studio.settled();
    await page.getByRole('button', { name: 'New folder', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/empty');
    await page.getByRole('button', { name: 'Create' }).click();
    const backup = await saveBackup(studio);
    expect(await backup.text(), 'no key in a backup').not.toContain('sk-');

    await studio.open();
    await restoreBackup(studio, backup, 'Restored 1 thread');
    await studio.threads.getByRole('link', { name: question }).click();
    await expect.element(studio.answers).toContainText('It is kept.');
    await page.getByRole('treeitem', { name: 'docs' }).click();
    await expect.element(page.getByRole('treeitem', { name: '你好.md' })).toBeVisible();
    await expect.element(page.getByRole('treeitem', { name: 'empty' })).toBeVisible();
    // The history of the files stays in the browser where it was made.
    await studio.chooseAction('Restore files to this point');
    await expect.element(page.getByText('The files weren’t changed.')).toBeVisible();
  });

  test('a thread is exported as JSON lines in the OpenAI format, and imported', async ({ studio }) => {
    const question = prompt('Compute');
    await model.script(question, [{ calls: evalCall('6*7') }, { text: 'It is 42.' }]);
    await studio.open();
    await studio.say(question);
    await studio.allow.click();
    await studio.settled();
    await studio.openSettings('Data');
    const { name, blob } = await downloadOf(() => page.getByRole('button', { name: 'Export this thread' }).click());
    const lines = (await blob.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(lines[2].tool_calls[0].function).toEqual({ name: 'browser_js_eval', arguments: '{"code":"6*7"}' });
    await page.getByLabelText('Import a thread').upload(new File([blob], name));
    await expect.element(page.getByText('The thread was imported.')).toBeVisible();
    await keyboard.press('Escape');
    await expect.element(studio.threads.getByRole('link')).toHaveLength(2);
    await expect.element(studio.answers).toContainText('It is 42.');
  });

  test('files that are not a backup or a thread are rejected with the reason', async ({ studio }) => {
    await studio.open();
    await studio.openSettings('Data');
    await page.getByLabelText('Restore a backup').upload(new File(['no zip'], 'x.zip', { type: 'application/zip' }));
    await expect.element(page.getByRole('dialog').getByRole('alert')).toContainText('the zip file is damaged');
    await page
      .getByLabelText('Import a thread')
      .upload(new File(['{"role":"user","content":"a"}\n{"role"'], 'x.jsonl', { type: 'text/plain' }));
    await expect.element(page.getByRole('dialog').getByRole('alert')).toContainText('Line 2');
  });
});

test('a backup that cannot be saved says why, also when it was asked for elsewhere', async ({ studio }) => {
  await studio.open();
  const { transaction } = IDBDatabase.prototype;
  onTestFinished(() => void Object.assign(IDBDatabase.prototype, { transaction }));
  IDBDatabase.prototype.transaction = function (names, ...rest) {
    if (String(names) === 'threads') throw new DOMException('The disk is broken.', 'UnknownError');
    return transaction.call(this, names, ...rest);
  };
  await keyboard.press('ControlOrMeta+k');
  await keyboard.type('backup');
  await page
    .getByRole('option', { name: /Save a backup/ })
    .first()
    .click();
  const alert = page.getByRole('dialog', { name: 'Settings' }).getByRole('alert');
  await expect.element(alert).toHaveText('The backup wasn’t saved: The disk is broken.');
});
