import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard, press } from '#components/test/browser.ts';
import { startServer } from '#components/test/servers.ts';
import {
  addressField,
  connectDialog,
  KEY,
  keyField,
  modelPicker,
  openConnectDialog,
  test,
} from './test/connect-dialog.ts';

const alert = page.getByRole('alert');

describe('what can be wrong with a connection is said in words, and what was typed stays', () => {
  test('a wrong key, and the key of another provider', async ({ studio, emptyServer, provider }) => {
    await provider.set('requiredKey', KEY);
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    await addressField.fill(await provider.get('url'));
    await keyField.fill('sk-ant-wrong');
    await press(keyField, 'Enter');
    await expect.element(alert).toContainText('The provider rejected this key.');
    await expect.element(alert).toContainText('This looks like a key for Anthropic.');
    await expect.element(alert).not.toContainText('sk-ant-wrong');
    await expect.element(keyField).toHaveValue('sk-ant-wrong');
    await keyField.fill(KEY);
    await expect.element(alert).not.toBeInTheDocument();
    await press(keyField, 'Enter');
    await expect.element(connectDialog).not.toBeInTheDocument();
  });

  test('a key that is missing, and nothing at all', async ({ studio, emptyServer, provider }) => {
    const url = await provider.get('url');
    await provider.set('requiredKey', KEY);
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    await connectDialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect.element(alert).toContainText('Paste an API key, or enter the address of a server.');
    await expect.element(addressField).toHaveFocus();
    await addressField.fill(url.replace('http:', 'https:'));
    await press(addressField, 'Enter');
    await expect.element(alert).toContainText('This server needs an API key.');
    await expect.element(keyField).toHaveFocus();
    await keyboard.insertText(`export LOCAL_API_KEY='${KEY}'`);
    await keyboard.press('Enter');
    await expect.element(connectDialog).toContainText(`The studio found the API at ${url}`);
    await expect.element(page.getByText('Done')).toHaveFocus();
  });

  test('an address without /v1, which is found', async ({ studio, emptyServer, provider }) => {
    const url = await provider.get('url');
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    await addressField.fill(url.replace('/v1', '/chat/completions'));
    await press(addressField, 'Enter');
    await expect
      .element(connectDialog.getByRole('status').first())
      .toContainText(`Connected to ${new URL(url).host}: 7`);
    await expect.element(connectDialog).toContainText(`The studio found the API at ${url}`);
    await keyboard.press('Enter');
    await expect.element(connectDialog).not.toBeInTheDocument();
  });

  test('a web page, a server that is not there, and what is no address', async ({ studio, emptyServer }) => {
    await using site = await startServer('fixed', [{ body: '<!doctype html>' }]);
    const gone = await startServer('fixed', []);
    const goneUrl = await gone.get('url');
    await gone.stop();
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    for (const [address, problem] of [
      [await site.get('url'), 'This address returns a web page instead of an API.'],
      [`${goneUrl}/v1`, 'The studio’s server can’t reach this address.'],
      [
        'http://169.254.169.254/v1',
        'The studio’s server isn’t allowed to connect to this address. Use another address, or ask the operator to allow it.',
      ],
      ['http://exa mple', 'This isn’t a valid address.'],
    ] as const) {
      await addressField.fill(address);
      await press(addressField, 'Enter');
      await expect.element(alert).toContainText(problem);
      await expect.element(addressField).toHaveValue(address);
    }
  });

  test('the focus stays on the button that failed', async ({ studio, emptyServer }) => {
    const gone = await startServer('fixed', []);
    const address = await gone.get('url');
    await gone.stop();
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    await addressField.fill(address);
    const button = connectDialog.getByRole('button', { name: 'Connect', exact: true });
    await press(button, 'Enter');
    await expect.element(alert).toBeVisible();
    await expect.element(button).toHaveFocus();
  });

  test('a server with 3,000 models: some are picked', async ({ studio, emptyServer }) => {
    const data = Array.from({ length: 3_000 }, (_, index) => ({ id: `model-${index}` }));
    await using many = await startServer('fixed', [{ body: { data } }]);
    await studio.open({ server: emptyServer, settings: {} });
    await openConnectDialog();
    await addressField.fill(`${await many.get('url')}/v1`);
    await press(addressField, 'Enter');
    const search = page.getByRole('textbox', { name: 'Find a model' });
    await expect.element(search).toHaveFocus();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.element(connectDialog.getByRole('alert')).toContainText('Choose at least one model.');
    await expect.element(search).toHaveFocus();
    await search.fill('model-2718');
    await page.getByRole('checkbox', { name: 'model-2718' }).click();
    await expect.element(connectDialog).toContainText('1 model selected');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.element(modelPicker).toHaveText('model-2718');
  });
});
