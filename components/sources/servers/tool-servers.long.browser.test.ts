import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { resultOf } from '#components/test/one-call.ts';
import { startServer } from '#components/test/servers.ts';
import { addServer, askForWeather, connected, openWith, serverLine, test } from './test/tool-servers.ts';

test('a server moves to another address, where its tools ask again', async ({ studio, server }) => {
  const moved = await startServer('tool server');
  await openWith(studio, server);
  await askForWeather(studio, 'Lima');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Edit weather' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tool server weather' });
  const address = dialog.getByRole('textbox', { name: 'Address' });
  await expect.element(address).toHaveValue(await server.get('url'));
  await address.fill('ftp://example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByRole('alert')).toContainText('Enter the address of the server');
  await address.fill(await moved.get('url'));
  await expect.element(dialog).toContainText('At the new one, you’ll be asked again.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await connected();
  await askForWeather(studio, 'Oslo');
  await expect.element(studio.allowOnce).toBeVisible();
  expect([await server.get('calls'), await moved.get('calls')]).toEqual([['forecast Lima'], []]);
  await studio.allowOnce.click();
  await studio.settled(2);
  expect([await server.get('calls'), await moved.get('calls')]).toEqual([['forecast Lima'], ['forecast Oslo']]);
  await moved.stop();
});

test('a server is turned off, and deleted with what was allowed', async ({ studio, server }) => {
  await openWith(studio, server);
  await askForWeather(studio, 'Lima');
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await studio.openSettings('Tools');
  await page.getByRole('switch', { name: 'Use weather' }).click();
  await expect.element(serverLine).toContainText('Off');
  await page.getByRole('button', { name: 'Edit weather' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('No servers.')).toBeVisible();
  await keyboard.press('Escape');
  await addServer(studio, await server.get('url'));
  await connected();
  await askForWeather(studio, 'Oslo');
  await expect.element(studio.call('weather_forecast', 1)).toContainText('You haven’t permanently allowed this tool.');
  await studio.deny.click();
  await studio.settled(2);
  expect(await server.get('calls')).toEqual(['forecast Lima']);
});

test('a server that is down says so, its tools stay, and it is used again once it is back', async ({
  studio,
  server,
}) => {
  await openWith(studio, server);
  await server.call('stop');
  await studio.reopen();
  const question = await askForWeather(studio, 'Lima');
  await studio.allowOnce.click();
  await studio.settled();
  expect(await resultOf(question)).toMatch(/Not run\. .* cannot be reached\./);
  await studio.openSettings('Tools');
  await expect.element(serverLine.getByRole('alert')).toContainText('Can’t reach the server.');
  await server.call('listen');
  await serverLine.getByRole('button', { name: 'Retry' }).click();
  await connected();
  const again = await askForWeather(studio, 'Oslo');
  await studio.allowOnce.click();
  await studio.settled(2);
  expect(await resultOf(again)).toBe('It rains in Oslo.');
});

test('servers are imported from the settings of other programs', async ({ studio, server }) => {
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import tool servers' });
  const text = dialog.getByRole('textbox', { name: 'JSON' });
  await text.fill('{');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect.element(dialog.getByRole('alert')).toContainText('This isn’t valid JSON');
  await text.fill(
    JSON.stringify({
      mcpServers: {
        Weather: { type: 'http', url: await server.get('url'), timeout: 5 },
        local: { command: 'npx', args: ['thing'] },
      },
    }),
  );
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect.element(dialog.getByRole('status')).toHaveText('1 server added: weather.');
  await expect.element(dialog).toContainText('local starts a program (npx), which a browser can’t do');
  await expect.element(dialog).toContainText('Ignored: Weather.timeout');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await connected();
});
