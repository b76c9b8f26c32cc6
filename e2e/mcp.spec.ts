import { expect } from './lib/fixtures.ts';
import { KeyedApi } from './lib/keyed-api.ts';
import { add, ask, connected, line, resultOf, test } from './lib/mcp-page.ts';
import { prompt } from './lib/prompt.ts';

const SETTINGS = { defaultModel: 'scripted' };

test('a call that was interrupted by a reload is never run twice', async ({ studio, bench, page, server }) => {
  await studio.open({ settings: SETTINGS });
  await add(studio, page, server);
  await connected(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = promise;
  const question = await ask(studio, bench, 'Lima');
  await studio.allowOnce.click();
  await expect.poll(() => server.calls.length).toBe(1);
  await page.reload();
  await studio.settled();
  resolve();
  expect(resultOf(bench, question)).toContain('interrupted');
  expect(server.calls).toEqual(['forecast Lima']);
});

test('the keys of tool servers and of HTTP APIs are not in the studio’s log', async ({
  studio,
  bench,
  page,
  server,
}) => {
  const [serverKey, apiKey] = ['secret-0815', 'ghp_0123456789abcdef'];
  const api = await KeyedApi.start(apiKey);
  try {
    // Their requests go through the studio's server.
    server.isOpenToPages = api.isOpenToPages = false;
    server.key = `Bearer ${serverKey}`;
    await studio.open({ settings: SETTINGS });
    await add(studio, page, server);
    await page.getByRole('button', { name: 'Edit weather' }).click();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header name' }).fill('Authorization');
    await page.getByRole('textbox', { name: 'Header value' }).fill(server.key);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(line(page)).toContainText('Connected');
    await page.getByRole('button', { name: 'Add API…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an HTTP API' });
    await dialog.getByRole('textbox', { name: 'Description (YAML)' }).fill(api.describe());
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'token' }).fill(apiKey);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog).toBeHidden();
    await connected(page);
    const question = prompt('Call both');
    bench.model.script(question, [
      { calls: [{ name: 'weather_forecast', arguments: '{"city":"Lima"}' }] },
      { calls: [{ name: 'tracker_get_issue', arguments: '{"id":7}' }] },
      { text: 'Called.' },
    ]);
    await studio.say(question);
    await studio.allowOnce.click();
    await expect.poll(() => server.calls).toEqual(['forecast Lima']);
    await studio.allowOnce.click();
    await studio.settled();
    expect(api.calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`]);
    for (const key of [serverKey, apiKey]) expect(bench.log()).not.toContain(key);
  } finally {
    await api.stop();
  }
});
