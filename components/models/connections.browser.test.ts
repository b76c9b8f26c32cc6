import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { chooseFiles, downloadOf, keyboard, press } from '#components/test/browser.ts';
import { startServer } from '#components/test/servers.ts';
import { KeyVault } from '#lib/keys/key-vault.ts';
import {
  addressField,
  connect,
  connectDialog,
  KEY,
  keyField,
  modelPicker,
  openConnectDialog,
  test,
} from './test/connect-dialog.ts';

const PROMPT = 'Who are you?';
const ANSWER = 'I am the model that you connected.';

const connections = page.getByRole('list', { name: 'Connections' });

test('from an empty browser to a connected model’s answer takes four actions with the keyboard', async ({
  studio,
  emptyServer,
  provider,
}) => {
  await provider.call('script', PROMPT, [{ text: ANSWER }]);
  await studio.open({ server: emptyServer, settings: {}, isWorkspaceShown: false });
  // 1. The command palette. 2. Its command. 3. The address. 4. The question.
  await keyboard.press('ControlOrMeta+k');
  await expect.element(page.getByRole('combobox', { name: 'Command palette' })).toHaveFocus();
  await keyboard.type('connect');
  await keyboard.press('Enter');
  await expect.element(addressField).toHaveFocus();
  await keyboard.insertText(await provider.get('url'));
  await keyboard.press('Enter');
  await expect.element(connectDialog).not.toBeInTheDocument();
  await expect.element(modelPicker).toHaveText('scripted');
  await expect.element(studio.message).toHaveFocus();
  await keyboard.type(PROMPT);
  await keyboard.press('Enter');
  await expect.element(studio.answers.last()).toContainText(ANSWER);
  // Once, and without a key.
  expect(await provider.get('keys')).toEqual([undefined]);
});

test('who closes the dialog while it connects gets no connection', async ({ studio, emptyServer }) => {
  await using slow = await startServer('fixed', [{ body: { data: [{ id: 'slow' }] } }], { isHeld: true });
  await studio.open({ server: emptyServer, settings: {} });
  await openConnectDialog();
  await addressField.fill(`${await slow.get('url')}/v1`);
  await press(addressField, 'Enter');
  await expect.element(connectDialog.getByRole('button', { name: 'Connecting…' })).toBeDisabled();
  await keyboard.press('Escape');
  await expect.element(connectDialog).not.toBeInTheDocument();
  await slow.call('open');
  await studio.openSettings('Models');
  await expect.element(page.getByText('You haven’t connected any models yet.')).toBeVisible();
  await studio.reopen();
  await studio.openSettings('Models');
  await expect.element(page.getByText('You haven’t connected any models yet.')).toBeVisible();
});

test('a connection’s model is used at once in place of the demo, and not in place of another model', async ({
  studio,
  emptyServer,
  provider,
}) => {
  const url = await provider.get('url');
  await studio.open({ server: emptyServer, settings: {} });
  await connect(url);
  await expect.element(modelPicker).toHaveText('scripted');
  await studio.choose('Model', 'raw');
  await studio.openSettings('Models');
  await connect(url, 'sk-another-key');
  await expect.element(connections).toContainText(`${new URL(url).host} 2`);
  await keyboard.press('Escape');
  await expect.element(modelPicker).toHaveText('raw');
});

test('connecting the same again brings the connection up to date, and keeps what was chosen', async ({
  studio,
  emptyServer,
  provider,
}) => {
  const url = await provider.get('url');
  await provider.set('requiredKey', KEY);
  await provider.call('script', PROMPT, [{ text: ANSWER }]);
  await studio.open({ server: emptyServer, settings: {} });
  await connect(url);
  await studio.openSettings('Models');
  await page.getByRole('button', { name: 'Edit the connection' }).click();
  await page.getByRole('checkbox', { name: 'no-tools' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await openConnectDialog();
  await addressField.fill(url);
  await keyField.fill(`"Bearer ${KEY}"`);
  await keyboard.press('Enter');
  await expect.element(connectDialog).toContainText('You’re already connected to');
  await expect.element(connectDialog.getByRole('checkbox', { name: 'no-tools' })).not.toBeChecked();
  await connectDialog.getByRole('button', { name: 'Done' }).click();
  await expect.element(connections.getByRole('listitem')).toHaveLength(1);
  await keyboard.press('Escape');
  await studio.say(PROMPT);
  await expect.element(studio.answers.last()).toContainText(ANSWER);
  expect(await provider.get('keys')).toEqual([KEY]);
});

test('keys under a passphrase must be unlocked on every new page', async ({ studio, emptyServer, provider }) => {
  await provider.set('requiredKey', KEY);
  await provider.call('script', PROMPT, [{ text: ANSWER }]);
  await studio.open({ server: emptyServer, settings: {} });
  await connect(await provider.get('url'));
  await studio.openSettings('Models');
  await page.getByRole('button', { name: 'Protect keys with a passphrase…' }).click();
  const passphrase = page.getByRole('textbox', { name: 'Passphrase', exact: true });
  await passphrase.fill('short');
  await press(passphrase, 'Enter');
  await expect.element(page.getByRole('alert')).toContainText('Use at least 8 characters.');
  await passphrase.fill('correct horse');
  const again = page.getByRole('textbox', { name: 'Confirm passphrase' });
  await again.fill('corect horse');
  await press(again, 'Enter');
  await expect.element(page.getByRole('alert')).toContainText('The passphrases don’t match.');
  await again.fill('correct horse');
  await press(again, 'Enter');
  await expect.element(page.getByRole('button', { name: 'Remove the passphrase' })).toBeVisible();
  await studio.reopen();
  await expect.element(page.getByText('The key for this model is locked.')).toBeVisible();
  await studio.say(PROMPT);
  await expect.element(studio.answers.last().getByRole('alert')).toContainText('Your keys are locked.');
  await studio.answers.last().getByRole('button', { name: 'Unlock keys…' }).click();
  vi.spyOn(KeyVault.prototype, 'unlock').mockRejectedValueOnce(new Error('The database is closing.'));
  await passphrase.fill('correct horse');
  await press(passphrase, 'Enter');
  await expect.element(page.getByRole('alert').last()).toContainText('The keys couldn’t be read.');
  await passphrase.fill('wrong horse');
  await press(passphrase, 'Enter');
  await expect.element(page.getByRole('alert').last()).toContainText('Incorrect passphrase.');
  await passphrase.fill('correct horse');
  await press(passphrase, 'Enter');
  await expect.element(page.getByRole('dialog', { name: 'Unlock your keys' })).not.toBeInTheDocument();
  await expect.element(page.getByText('The key for this model is locked.')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.element(studio.answers.last()).toContainText(ANSWER);
});

test('a key that is refused in a chat can be replaced there', async ({ studio, emptyServer, provider }) => {
  await provider.set('requiredKey', KEY);
  await provider.call('script', PROMPT, [{ text: ANSWER }]);
  await studio.open({ server: emptyServer, settings: {} });
  await connect(await provider.get('url'));
  await provider.set('requiredKey', 'sk-canary-the-next-key');
  await studio.say(PROMPT);
  const alert = studio.answers.last().getByRole('alert');
  await expect.element(alert).toContainText('The provider rejected the API key.');
  await alert.getByRole('button', { name: 'Enter the key…' }).click();
  const field = page.getByRole('textbox', { name: 'Replace the key' });
  await expect.element(field).toHaveFocus();
  await field.fill('Bearer sk-canary-the-next-key');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect.element(studio.answers.last()).toContainText(ANSWER);
});

test('a connection can be renamed, reloaded and deleted', async ({ studio, emptyServer, provider }) => {
  const url = await provider.get('url');
  await studio.open({ server: emptyServer, settings: {} });
  await connect(url);
  await studio.openSettings('Models');
  await page.getByRole('button', { name: `Edit the connection ${new URL(url).host}` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('My box');
  await page.getByRole('checkbox', { name: 'no-tools' }).click();
  await page.getByRole('button', { name: 'Reload models' }).click();
  await expect.element(page.getByRole('status').last()).toContainText('Reloaded: 7 models.');
  // However the dialog is closed.
  await keyboard.press('Escape');
  await expect.element(connections).toContainText('My box');
  await expect.element(connections).toContainText('6 of 7 models');
  await page.getByRole('button', { name: 'Edit the connection My box' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await expect.element(page.getByText('You haven’t connected any models yet.')).toBeVisible();
  expect(studio.problems).toEqual([]);
});

test('an operator can turn personal connections off', async ({ studio, provider }) => {
  await using server = await startServer('studio', { models: 'models: []', env: { PERSONAL_KEYS: 'false' } });
  await studio.open({ server, settings: {} });
  await expect.element(page.getByText('Only the demo is available.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Connect a model…' })).not.toBeInTheDocument();
  const answer = await fetch('/api/connections', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'local', baseURL: await provider.get('url') }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'personal-keys-off' });
});

test('a backup brings connections back without keys, and nothing is sent to them until their models are picked', async ({
  studio,
  emptyServer,
  provider,
}) => {
  await studio.open({ server: emptyServer, settings: {} });
  await connect(await provider.get('url'));
  await studio.openSettings('Data');
  const backup = await downloadOf(() => page.getByRole('button', { name: 'Save a backup' }).click());
  // In another browser.
  await studio.open({ server: emptyServer, settings: {} });
  await studio.openSettings('Data');
  const file = { name: 'backup.zip', mimeType: 'application/zip', content: await backup.blob.bytes() };
  await chooseFiles([file], () => page.getByRole('button', { name: 'Restore a backup' }).click());
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('tab', { name: 'Models' }).click();
  await expect.element(connections).toContainText('no models selected');
  await keyboard.press('Escape');
  await expect.element(modelPicker).not.toHaveText('scripted');
  await studio.say('Is anybody there?');
  await expect.element(studio.answers).toContainText('no longer available');
  await expect.element(studio.answers).not.toContainText('personal-');
  expect(await provider.get('requests')).toEqual([]);
  await page.getByRole('button', { name: 'New thread' }).click();
  await expect.element(page.getByRole('main')).toContainText('No models are selected.');
  await page.getByRole('button', { name: 'Open settings' }).click();
  await expect.element(connections).toContainText('Its key isn’t in this browser.');
  await page.getByRole('button', { name: 'Edit the connection' }).click();
  await page.getByRole('button', { name: 'Use the 7 models that you had selected' }).click();
  await page.getByRole('textbox', { name: 'API key' }).fill(KEY);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(connections).toContainText('7 models');
});
