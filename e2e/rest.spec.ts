import type { Locator, Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { ApiTestServer, type SeenRequest } from '#lib/rest/test/api-server.ts';
import type { TestBench } from './lib/bench.ts';
import { test as base, expect } from './lib/fixtures.ts';
import { add as addServer, connected } from './lib/mcp-page.ts';
import { McpTestServer } from './lib/mcp-server.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const KEY = 'ghp_0123456789abcdef';

interface Api {
  server: ApiTestServer;
  /** Whether it lets pages call it. */
  isOpenToPages: boolean;
  /** The requests that were no question about whether pages may call it. */
  calls(): SeenRequest[];
}

const test = base.extend<{ api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  api: async ({}, use) => {
    const server = await ApiTestServer.start();
    const api: Api = {
      ...{ server, isOpenToPages: true },
      calls: () => server.seen.filter(({ method }) => method !== 'OPTIONS' && method !== 'HEAD'),
    };
    server.answer = ({ method, url, headers, body }, response) => {
      if (api.isOpenToPages && headers.origin !== undefined) {
        response.setHeader('access-control-allow-origin', headers.origin);
        response.setHeader('access-control-allow-headers', 'authorization, content-type');
        response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
      }
      if (method === 'OPTIONS') return response.writeHead(api.isOpenToPages ? 204 : 405).end();
      response.setHeader('content-type', 'application/json');
      if (headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end('{"message":"Who are you?"}');
      // It says back what it should not.
      return response.end(JSON.stringify({ data: { method, url, body, authorization: headers.authorization } }));
    };
    await use(api);
    await server.stop();
  },
});

const description = ({ server }: Api, more = ''): string => `name: tracker
baseUrl: ${server.url}/api
headers:
  Authorization: Bearer {{token}}
tools:
  - name: get_issue
    description: Returns an issue by its number.${more}
    method: GET
    path: /issues/{id}
    parameters:
      - { name: id, in: path, schema: { type: integer } }
    result: data
  - name: create_issue
    description: Creates an issue.
    method: POST
    path: /issues
    parameters:
      - { name: title, in: body, required: true }
    result: data
`;

const line = (page: Page): Locator => page.getByRole('list', { name: 'HTTP APIs' }).getByRole('listitem');

/** Adds an API by its description. */
async function add(studio: StudioPage, page: Page, yaml: string): Promise<void> {
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add API…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an HTTP API' });
  await dialog.getByRole('textbox', { name: 'Description (YAML)' }).fill(yaml);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'token' }).fill(KEY);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(line(page)).toContainText('2 tools, about');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Asks something that the model answers by a call. */
async function ask(studio: StudioPage, bench: TestBench, name: string, args: object): Promise<string> {
  const question = prompt(`Call ${name}`);
  bench.model.script(question, [{ calls: [{ name, arguments: JSON.stringify(args) }] }, { text: 'I have asked.' }]);
  await studio.say(question);
  return question;
}

const resultOf = (bench: TestBench, question: string) =>
  bench.model
    .requestsFor(question)
    .at(-1)
    ?.messages.findLast(({ role }) => role === 'tool')?.content;

for (const [how, isOpenToPages] of [
  ['directly', true],
  ['through the studio’s server, if it does not allow calls from web pages', false],
] as const)
  test(`an API is called ${how}, once, after a question, and its key goes nowhere else`, async ({
    studio,
    bench,
    page,
    api,
  }) => {
    api.isOpenToPages = isOpenToPages;
    const sent: [url: string, body: string][] = [];
    page
      .context()
      .on('request', (request) =>
        sent.push([request.url(), `${request.postData()}${JSON.stringify(request.headers())}`]),
      );
    await studio.open();
    await add(studio, page, description(api));
    const reading = await ask(studio, bench, 'tracker_get_issue', { id: 7 });
    const card = studio.call('tracker_get_issue');
    await expect(card).toContainText('The model wants to call tracker_get_issue.');
    await expect(card).toContainText('Returns an issue by its number.');
    await expect(card).toContainText('/api/issues/{id}');
    expect(api.server.seen).toEqual([]);
    await studio.allowOnce.click();
    await studio.settled();
    expect(JSON.parse(String(resultOf(bench, reading)))).toEqual({
      ...{ method: 'GET', url: '/api/issues/7', body: '', authorization: 'Bearer [secret]' },
    });

    const writing = await ask(studio, bench, 'tracker_create_issue', { title: 'Broken' });
    await studio.allowOnce.click();
    await studio.settled(2);
    expect(resultOf(bench, writing)).toContain('[secret]');
    expect(api.calls().map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/issues/7', ''],
      ['POST', '/api/issues', '{"title":"Broken"}'],
    ]);
    expect(api.calls().every(({ headers }) => (headers.origin !== undefined) === isOpenToPages)).toBe(true);

    // Nothing but the API has got the key, except for what passes it on.
    const carriers = sent.filter(([, text]) => text.includes(KEY)).map(([url]) => new URL(url));
    expect(carriers.every((url) => url.origin === api.server.url || url.pathname === '/api/mcp/relay')).toBe(true);
    if (isOpenToPages) expect(carriers.every((url) => url.origin === api.server.url)).toBe(true);
    expect(JSON.stringify(bench.model.requests)).not.toContain(KEY);
    expect(bench.log()).not.toContain(KEY);
    expect(await page.content()).not.toContain(KEY);
    expect(await everythingStored(page)).not.toContain(KEY);

    await studio.openSettings('Tools');
    await page.getByRole('button', { name: 'Edit tracker' }).click();
    const dialog = page.getByRole('dialog', { name: 'HTTP API tracker' });
    await expect(dialog.getByRole('textbox', { name: 'token' })).toHaveValue('');
    expect(await page.content()).not.toContain(KEY);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Data', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Save a backup' }).click();
    const stream = await (await download).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const files = Object.values(unzipSync(new Uint8Array(Buffer.concat(chunks))));
    const backup = Buffer.concat(files).toString();
    expect(backup).toContain('tracker_get_issue');
    expect(backup).not.toContain(KEY);
  });

test('a tool that was allowed asks again when its description changes', async ({ studio, bench, page, api }) => {
  await studio.open();
  await add(studio, page, description(api));
  await ask(studio, bench, 'tracker_get_issue', { id: 1 });
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await ask(studio, bench, 'tracker_get_issue', { id: 2 });
  await studio.settled(2);
  expect(api.calls()).toHaveLength(2);

  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Edit tracker' }).click();
  const dialog = page.getByRole('dialog', { name: 'HTTP API tracker' });
  await dialog.getByRole('textbox', { name: 'Description (YAML)' }).fill(description(api, ' And more.'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Escape');
  await ask(studio, bench, 'tracker_get_issue', { id: 3 });
  const card = studio.call('tracker_get_issue', -1);
  await expect(card).toContainText('This request has changed since you allowed it');
  await expect(card).toContainText('And more.');
  await studio.deny.click();
  await studio.settled(3);
  expect(api.calls()).toHaveLength(2);
});

test('calls of APIs and of tool servers are in the network activity, with why they were allowed; so are denied ones', async ({
  studio,
  bench,
  page,
  api,
}) => {
  const server = await McpTestServer.start();
  try {
    server.isOpenToPages = false;
    await studio.open();
    await add(studio, page, description(api));
    await addServer(studio, page, server);
    await connected(page);
    await ask(studio, bench, 'tracker_get_issue', { id: 4711 });
    await page.getByRole('button', { name: 'Always allow' }).click();
    await studio.settled();
    await ask(studio, bench, 'tracker_get_issue', { id: 4712 });
    await studio.settled(2);
    await ask(studio, bench, 'tracker_create_issue', { title: 'private words' });
    await studio.deny.click();
    await studio.settled(3);
    await ask(studio, bench, 'weather_forecast', { city: 'private words' });
    await studio.allowOnce.click();
    await studio.settled(4);
    await ask(studio, bench, 'weather_forecast', { city: 'private words' });
    await studio.deny.click();
    await studio.settled(5);

    await studio.openSettings('Permissions');
    const table = page.getByRole('table', { name: 'Network activity' });
    const rows = table.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
    const [apiHost, serverHost] = [api.server.url, server.url].map((url) => new URL(url).host);
    await expect(rows).toHaveCount(5);
    await expect(rows.nth(4)).toContainText(`${apiHost}Status 200You were asked`);
    await expect(rows.nth(4)).toContainText('tracker_get_issue, in “');
    await expect(rows.nth(3)).toContainText(`${apiHost}Status 200Always allowed`);
    await expect(rows.nth(2)).toContainText(`${apiHost}Denied · The user did not allow it.`);
    await expect(rows.nth(2)).toContainText('0 bytes sent');
    // Through the studio's server, the request is still one to the tool server.
    await expect(rows.nth(1)).toContainText(`${serverHost}Status 200You were asked`);
    await expect(rows.nth(1)).toContainText('weather_forecast, in “');
    await expect(rows.nth(0)).toContainText(`${serverHost}Denied`);
    for (const row of [1, 3, 4]) await expect(rows.nth(row)).not.toContainText(/\b0 bytes/);
    await expect(page.getByRole('dialog')).not.toContainText(/private words|4711|issues|\/mcp|ghp_/);
    await page.reload();
    await studio.openSettings('Permissions');
    await expect(rows).toHaveCount(5);
  } finally {
    await server.stop();
  }
});

test('faults of a description are shown with their lines', async ({ studio, page }) => {
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add API…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an HTTP API' });
  await dialog
    .getByRole('textbox', { name: 'Description (YAML)' })
    .fill('name: shop\nbaseUrl: http://shop.test\ntools:\n  - { name: a, description: A., method: GET, path: a }\n');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Line 2: baseUrl');
  await expect(dialog.getByRole('alert')).toContainText('Line 4: tools[0].path: must begin with /');
});

test('operations of an OpenAPI document are chosen and called', async ({ studio, bench, page, api }) => {
  const paths = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [
      `/things/${n}/{id}`,
      {
        get: {
          ...{ operationId: `getThing${n}`, summary: `Gets thing ${n}.` },
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        },
      },
    ]),
  );
  const broken = { post: { operationId: 'broken', requestBody: { $ref: '#/components/requestBodies/No' } } };
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Things', version: '1' }, servers: [{ url: `${api.server.url}/v1` }] },
    paths: { '/broken': broken, ...paths },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Import OpenAPI…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import operations of an OpenAPI document' });
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Open file…' }).click();
  await (await choosing).setFiles({
    ...{ name: 'things.json', mimeType: 'application/json' },
    buffer: Buffer.from(JSON.stringify(document)),
  });
  await expect(dialog.getByRole('status')).toHaveText('0 of 1001 chosen');
  await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toHaveValue(`${api.server.url}/v1`);
  await expect(dialog.getByRole('checkbox', { name: /broken/ })).toBeDisabled();
  await expect(dialog.getByRole('listitem').first()).toContainText('leads nowhere');
  await dialog.getByRole('textbox', { name: 'Header value' }).fill(`Bearer ${KEY}`);
  for (const n of [777, 778]) {
    await dialog.getByRole('searchbox', { name: 'Search operations' }).fill(`thing ${n}.`);
    await dialog.getByRole('checkbox', { name: `getThing${n}` }).check();
  }
  await expect(dialog.getByRole('status')).toHaveText('2 of 1001 chosen');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(line(page)).toContainText('2 tools, about');
  await page.keyboard.press('Escape');
  const question = await ask(studio, bench, 'things_getThing777', { id: 'a b' });
  await studio.allowOnce.click();
  await studio.settled();
  expect(api.calls().map(({ method, url }) => [method, url])).toEqual([['GET', '/v1/things/777/a%20b']]);
  expect(resultOf(bench, question)).toContain('[secret]');
  expect(JSON.stringify(bench.model.requests)).not.toContain(KEY);
});

/** All that this browser stores for the studio, as far as it can be read. */
const everythingStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const open = indexedDB.open(name);
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      for (const store of db.objectStoreNames) {
        const request = db.transaction(store).objectStore(store).getAll();
        const records = await new Promise<unknown[]>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        found.push(records);
      }
      db.close();
    }
    const bytes = (_: string, value: unknown) => {
      if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      return ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value;
    };
    return JSON.stringify(found, bytes);
  });
