import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { restoreBackup, saveBackup } from './test/backups.ts';

loadEditor();

test('permissions in a backup are not restored', async ({ studio }) => {
  const question = prompt('Compute');
  await model.script(question, [{ calls: evalCall('1') }, { text: 'One.' }]);
  await studio.open();
  await studio.say(question);
  await page.getByRole('button', { name: 'Always allow', exact: true }).click();
  await studio.settled();
  const backup = await saveBackup(studio);

  await studio.open();
  await restoreBackup(studio, backup, 'Restored 1 thread');
  await studio.openSettings('Permissions');
  await expect.element(page.getByRole('combobox', { name: 'Browser: Run code' })).toContainText('Ask');
});

test('a backup saved during a call and restored elsewhere runs nothing, and continues on request', async ({
  studio,
}) => {
  const [running, asking] = [prompt('Run for ever'), prompt('Ask me')];
  await model.script(running, [
    { calls: evalCall('await vfs.writeFile("/ran.txt", "again"); await new Promise(() => {})') },
    { text: 'I see that it was interrupted.' },
  ]);
  await model.script(asking, [{ calls: evalCall('1 + 1') }, { text: 'Two.' }]);
  await studio.open();
  await studio.say(running);
  await studio.allow.click();
  await expect.element(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'running');
  await expect.element(studio.entry('ran.txt')).toBeVisible();
  await press(studio.entry('ran.txt'), 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(studio.entry('ran.txt')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'New thread' }).click();
  await studio.say(asking);
  await expect.element(studio.allow).toBeVisible();
  const backup = await saveBackup(studio);

  await studio.open();
  await studio.openSettings('Data');
  await page.getByLabelText('Restore a backup').upload(backup);
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toContainText('contains 2 threads and 0 files');
  await expect.element(dialog).toContainText('2 unfinished answers will be marked as interrupted');
  await expect.element(dialog).toContainText('Not restored: 1 tool approval.');
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.element(dialog).toContainText('Restored 2 threads');
  await keyboard.press('Escape');
  for (const question of [asking, running]) {
    await studio.threads.getByRole('link', { name: question }).click();
    await expect.element(studio.answers.getByRole('alert')).toContainText('wasn’t finished when the thread was saved');
    await expect.element(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'interrupted');
    await expect.element(studio.allow).not.toBeInTheDocument();
  }
  // A reload resumes whatever is unfinished; here, nothing is.
  await studio.reopen();
  await expect.element(studio.answers.getByRole('alert')).toBeVisible();
  for (const question of [asking, running]) expect(await model.requestsWith(question)).toHaveLength(1);
  await expect.element(studio.entry('ran.txt')).not.toBeInTheDocument();

  await studio.answers.getByRole('button', { name: 'Retry' }).click();
  await expect.element(studio.answers).toContainText('I see that it was interrupted.');
  expect((await model.requestsFor(running)).at(-1)?.messages.at(-1)?.content).toContain('Error (interrupted)');
});
