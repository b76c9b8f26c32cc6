import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

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
