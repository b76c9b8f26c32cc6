import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { chooseFiles, downloadOf, keyboard, receiversOf } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { askForCall, resultOf } from '#components/test/one-call.ts';
import { everythingStored } from '#components/test/stored.ts';
import { RELAY_PATH } from '#lib/wire/mcp.ts';
import { add, KEY, line, test } from './test/http-apis.ts';

const documentText = (): string => document.documentElement.outerHTML;

for (const [how, isOpenToPages] of [
  ['directly', true],
  ['through the studio’s server, if it does not allow calls from web pages', false],
] as const)
  test(`an API is called ${how}, once, after a question, and its key goes nowhere else`, async ({ studio, api }) => {
    await api.set('isOpenToPages', isOpenToPages);
    const receivers = await receiversOf(KEY, async () => {
      await studio.open();
      await add(studio, await api.call('describe'));
      const reading = await askForCall(studio, 'tracker_get_issue', { id: 7 });
      const card = studio.call('tracker_get_issue');
      await expect.element(card).toContainText('The model wants to call tracker_get_issue.');
      await expect.element(card).toContainText('Returns an issue by its number.');
      await expect.element(card).toContainText('/api/issues/{id}');
      expect(await api.get('seen')).toEqual([]);
      await studio.allowOnce.click();
      await studio.settled();
      expect(JSON.parse(String(await resultOf(reading)))).toEqual({
        method: 'GET',
        url: '/api/issues/7',
        body: '',
        authorization: 'Bearer [secret]',
      });

      const writing = await askForCall(studio, 'tracker_create_issue', { title: 'Broken' });
      await studio.allowOnce.click();
      await studio.settled(2);
      expect(await resultOf(writing)).toContain('[secret]');
    });
    const calls = await api.get('calls');
    expect(calls.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/issues/7', ''],
      ['POST', '/api/issues', '{"title":"Broken"}'],
    ]);
    expect(calls.every(({ headers }) => (headers.origin !== undefined) === isOpenToPages)).toBe(true);

    // Nothing but the API has got the key, except for what passes it on.
    const apiUrl = await api.get('url');
    expect(receivers).not.toEqual([]);
    const relay = location.origin + RELAY_PATH;
    const expected = isOpenToPages ? [apiUrl] : [apiUrl, relay];
    expect(receivers.filter((url) => !expected.some((one) => url.startsWith(one)))).toEqual([]);
    expect(await model.requestsWith(KEY)).toEqual([]);
    expect(documentText()).not.toContain(KEY);
    expect(await everythingStored()).not.toContain(KEY);

    await studio.openSettings('Tools');
    await page.getByRole('button', { name: 'Edit tracker' }).click();
    const dialog = page.getByRole('dialog', { name: 'HTTP API tracker' });
    await expect.element(dialog.getByRole('textbox', { name: 'token' })).toHaveValue('');
    expect(documentText()).not.toContain(KEY);
    await keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Data', exact: true }).click();
    const { blob } = await downloadOf(() =>
      page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Save a backup' }).click(),
    );
    const files = Object.values(unzipSync(await blob.bytes()));
    const backup = files.map((file) => new TextDecoder().decode(file)).join('\n');
    expect(backup).toContain('tracker_get_issue');
    expect(backup).not.toContain(KEY);
  });

test('faults of a description are shown with their lines', async ({ studio }) => {
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add API…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an HTTP API' });
  await dialog
    .getByRole('textbox', { name: 'Description (YAML)' })
    .fill('name: shop\nbaseUrl: http://shop.test\ntools:\n  - { name: a, description: A., method: GET, path: a }\n');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(dialog.getByRole('alert')).toContainText('Line 2: baseUrl');
  await expect.element(dialog.getByRole('alert')).toContainText('Line 4: tools[0].path: must begin with /');
});

test('operations of an OpenAPI document are chosen and called', async ({ studio, api }) => {
  const url = await api.get('url');
  const paths = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [
      `/things/${n}/{id}`,
      {
        get: {
          operationId: `getThing${n}`,
          summary: `Gets thing ${n}.`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        },
      },
    ]),
  );
  const broken = { post: { operationId: 'broken', requestBody: { $ref: '#/components/requestBodies/No' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: `${url}/v1` }],
    paths: { '/broken': broken, ...paths },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Import OpenAPI…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import operations from an OpenAPI document' });
  const text = JSON.stringify(document);
  await chooseFiles([{ name: 'things.json', mimeType: 'application/json', content: text }], () =>
    dialog.getByRole('button', { name: 'Open file…' }).click(),
  );
  await expect.element(dialog.getByRole('status')).toHaveText('0 of 1001 selected');
  await expect.element(dialog.getByRole('textbox', { name: 'Base URL' })).toHaveValue(`${url}/v1`);
  await expect.element(dialog.getByRole('checkbox', { name: /broken/ })).toBeDisabled();
  await expect.element(dialog.getByRole('listitem').first()).toContainText('leads nowhere');
  await dialog.getByRole('textbox', { name: 'Header value' }).fill(`Bearer ${KEY}`);
  for (const n of [777, 778]) {
    await dialog.getByRole('searchbox', { name: 'Search operations' }).fill(`thing ${n}.`);
    await dialog.getByRole('checkbox', { name: `getThing${n}` }).click();
  }
  await expect.element(dialog.getByRole('status')).toHaveText('2 of 1001 selected');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(line).toContainText('2 tools, about');
  await keyboard.press('Escape');
  const question = await askForCall(studio, 'things_getThing777', { id: 'a b' });
  await studio.allowOnce.click();
  await studio.settled();
  const calls = await api.get('calls');
  expect(calls.map((call) => [call.method, call.url])).toEqual([['GET', '/v1/things/777/a%20b']]);
  expect(await resultOf(question)).toContain('[secret]');
  expect(await model.requestsWith(KEY)).toEqual([]);
});
