import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { downloadOf, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

test('a thread becomes a persona, and the persona sets up another one', async ({ studio }) => {
  await studio.open();
  await keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('System prompt');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'System prompt' }).fill('You are a pirate.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const first = prompt('Compute');
  await model.script(first, [{ calls: [{ name: 'browser_js_eval', arguments: '{"code":"1+1"}' }] }, { text: 'Two.' }]);
  await studio.say(first);
  await studio.call('browser_js_eval').getByRole('button', { name: 'Allow in this thread' }).click();
  await studio.settled();

  await studio.openSettings('General');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('button', { name: 'Save this thread as a persona…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pirate');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const list = dialog.getByRole('list', { name: 'Personas' });
  const importFile = dialog.getByLabelText('Import…');
  await expect.element(list).toContainText('Runs without asking: browser_js_eval');
  const exported = await downloadOf(() => list.getByRole('button', { name: 'Export “Pirate”' }).click());
  await list.getByRole('button', { name: 'Delete “Pirate”' }).click();
  await page.getByRole('dialog', { name: 'Delete “Pirate”?' }).getByRole('button', { name: 'Delete' }).click();
  await expect.element(list.getByRole('listitem')).not.toBeInTheDocument();

  await importFile.upload(new File(['{}'], 'x.json', { type: 'application/json' }));
  await expect.element(dialog.getByRole('alert')).toContainText('This file isn’t a persona.');
  await importFile.upload(new File([exported.blob], exported.name));
  const question = page.getByRole('dialog', { name: 'Import “Pirate”?' });
  await expect.element(question).toContainText('You are a pirate.');
  await expect.element(question).toContainText('Runs without asking: browser_js_eval');
  await question.getByRole('button', { name: 'Import' }).click();
  await expect.element(list).toContainText('Pirate');
  await expect.element(list).not.toContainText('isn’t in your list');
  const other = JSON.parse(await exported.blob.text());
  other.persona = { ...other.persona, name: 'Sailor', model: 'personal-1/unknown-model' };
  await importFile.upload(new File([JSON.stringify(other)], 'y.json', { type: 'application/json' }));
  const sailor = page.getByRole('dialog', { name: 'Import “Sailor”?' });
  await expect.element(sailor).toContainText('unknown-model · ');
  await expect.element(sailor).toContainText('This model isn’t in your list.');
  await sailor.getByRole('button', { name: 'Cancel' }).click();
  await keyboard.press('Escape');

  // A new thread is set up with it before its first message.
  await keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('New thread');
  await keyboard.press('Enter');
  await keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Use persona');
  await keyboard.press('Enter');
  const second = prompt('Compute again');
  await model.script(second, [
    { calls: [{ name: 'browser_js_eval', arguments: '{"code":"2+2"}' }] },
    { text: 'Four.' },
  ]);
  await studio.say(second);
  await studio.settled();
  const { messages } = (await model.requestsFor(second)).at(-1) ?? { messages: [] };
  expect(String(messages[0]?.content)).toContain('You are a pirate.');
  expect(JSON.stringify(messages)).toContain('"4"');
});
