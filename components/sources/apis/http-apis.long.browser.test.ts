import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { connectServer } from '#components/sources/servers/test/tool-servers.ts';
import { keyboard } from '#components/test/browser.ts';
import { askForCall } from '#components/test/one-call.ts';
import { add, test } from './test/http-apis.ts';

test('calls of APIs and of tool servers are in the network activity, with why they were allowed; so are denied ones', async ({
  studio,
  api,
  server,
}) => {
  await server.set('isOpenToPages', false);
  await studio.open();
  await add(studio, await api.call('describe'));
  await connectServer(studio, server);
  await askForCall(studio, 'tracker_get_issue', { id: 4711 });
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await askForCall(studio, 'tracker_get_issue', { id: 4712 });
  await studio.settled(2);
  await askForCall(studio, 'tracker_create_issue', { title: 'private words' });
  await studio.deny.click();
  await studio.settled(3);
  await askForCall(studio, 'weather_forecast', { city: 'private words' });
  await studio.allowOnce.click();
  await studio.settled(4);
  await askForCall(studio, 'weather_forecast', { city: 'private words' });
  await studio.deny.click();
  await studio.settled(5);

  await studio.openSettings('Permissions');
  const table = page.getByRole('table', { name: 'Network activity' });
  const rows = table.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
  const [apiHost, serverHost] = [await api.get('url'), await server.get('url')].map((url) => new URL(url).host);
  await expect.element(rows).toHaveLength(5);
  await expect.element(rows.nth(4)).toContainText(`${apiHost}Status 200Allowed when asked`);
  await expect.element(rows.nth(4)).toContainText('tracker_get_issue, in “');
  await expect.element(rows.nth(3)).toContainText(`${apiHost}Status 200Always allowed`);
  await expect.element(rows.nth(2)).toContainText(`${apiHost}Denied · The user did not allow it.`);
  await expect.element(rows.nth(2)).toContainText('0 bytes sent');
  // Through the studio's server, the request is still one to the tool server.
  await expect.element(rows.nth(1)).toContainText(`${serverHost}Status 200Allowed when asked`);
  await expect.element(rows.nth(1)).toContainText('weather_forecast, in “');
  await expect.element(rows.nth(0)).toContainText(`${serverHost}Denied`);
  for (const row of [1, 3, 4]) await expect.element(rows.nth(row)).not.toContainText(/\b0 bytes/);
  await expect.element(page.getByRole('dialog')).not.toContainText(/private words|4711|issues|\/mcp|ghp_/);
  // Also those that were sent just before the end of the page.
  await studio.reopen();
  await studio.openSettings('Permissions');
  await expect.element(rows).toHaveLength(5);
});

test('a tool that was allowed asks again when its description changes', async ({ studio, api }) => {
  await studio.open();
  await add(studio, await api.call('describe'));
  await askForCall(studio, 'tracker_get_issue', { id: 1 });
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await askForCall(studio, 'tracker_get_issue', { id: 2 });
  await studio.settled(2);
  expect(await api.get('calls')).toHaveLength(2);

  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Edit tracker' }).click();
  const dialog = page.getByRole('dialog', { name: 'HTTP API tracker' });
  await dialog.getByRole('textbox', { name: 'Description (YAML)' }).fill(await api.call('describe', ' And more.'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await keyboard.press('Escape');
  await askForCall(studio, 'tracker_get_issue', { id: 3 });
  const card = studio.call('tracker_get_issue', -1);
  await expect.element(card).toContainText('This request has changed since you allowed it');
  await expect.element(card).toContainText('And more.');
  await studio.deny.click();
  await studio.settled(3);
  expect(await api.get('calls')).toHaveLength(2);
});
