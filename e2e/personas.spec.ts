import { readFile } from 'node:fs/promises';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

test('a thread becomes a persona, and the persona sets up another one', async ({ studio, bench, page }) => {
  await studio.open();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('System prompt');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'System prompt' }).fill('You are a pirate.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const first = prompt('Compute');
  bench.model.script(first, [{ calls: [{ name: 'browser_js_eval', arguments: '{"code":"1+1"}' }] }, { text: 'Two.' }]);
  await studio.say(first);
  await studio.call('browser_js_eval').getByRole('button', { name: 'Allow in this thread' }).click();
  await studio.settled();

  await studio.openSettings('General');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('button', { name: 'Save this thread as a persona…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pirate');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const list = dialog.getByRole('list', { name: 'Personas' });
  await expect(list).toContainText('Runs without asking: browser_js_eval');
  const saved = page.waitForEvent('download');
  await list.getByRole('button', { name: 'Export “Pirate”' }).click();
  const file = await (await saved).path();
  await list.getByRole('button', { name: 'Delete “Pirate”' }).click();
  await page.getByRole('dialog', { name: 'Delete “Pirate”?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(0);

  await dialog
    .getByLabel('Import…')
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(dialog.getByRole('alert')).toContainText('This file is not a persona.');
  await dialog.getByLabel('Import…').setInputFiles(file);
  const question = page.getByRole('dialog', { name: 'Import “Pirate”?' });
  await expect(question).toContainText('You are a pirate.');
  await expect(question).toContainText('Runs without asking: browser_js_eval');
  await question.getByRole('button', { name: 'Import' }).click();
  await expect(list).toContainText('Pirate');
  await expect(list).not.toContainText('not in your list');
  const other = JSON.parse(await readFile(file, 'utf8'));
  other.persona = { ...other.persona, name: 'Sailor', model: 'personal-1/unknown-model' };
  await dialog
    .getByLabel('Import…')
    .setInputFiles({ name: 'y.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(other)) });
  const sailor = page.getByRole('dialog', { name: 'Import “Sailor”?' });
  await expect(sailor).toContainText('unknown-model · ');
  await expect(sailor).toContainText('This model is not in your list.');
  await sailor.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');

  // A new thread is set up with it before its first message.
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('New thread');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Use persona');
  await page.keyboard.press('Enter');
  const second = prompt('Compute again');
  bench.model.script(second, [
    { calls: [{ name: 'browser_js_eval', arguments: '{"code":"2+2"}' }] },
    { text: 'Four.' },
  ]);
  await studio.say(second);
  await studio.settled();
  const { messages } = bench.model.requestsFor(second).at(-1) ?? { messages: [] };
  expect(String(messages[0]?.content)).toContain('You are a pirate.');
  expect(JSON.stringify(messages)).toContain('"4"');
});
