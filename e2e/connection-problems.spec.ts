import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '#scripts/lib/server.ts';
import { dialogOf, EMPTY, fieldOf, KEY } from './lib/connect-dialog.ts';
import { expect, test } from './lib/fixtures.ts';

test.describe('what can be wrong with a connection is said in words, and what was typed stays', () => {
  test('a wrong key, and the key of another provider', async ({ page, startBench }) => {
    const bench = await startBench(EMPTY);
    bench.model.requiredKey = KEY;
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Connect a model…' }).first().click();
    await fieldOf(page).fill(bench.model.url);
    const key = page.getByRole('textbox', { name: 'API key, if the server needs one' });
    await key.fill('sk-ant-wrong');
    await key.press('Enter');
    await expect(page.getByRole('alert')).toContainText('The provider rejected this key.');
    await expect(page.getByRole('alert')).toContainText('This looks like a key for Anthropic.');
    await expect(page.getByRole('alert')).not.toContainText('sk-ant-wrong');
    await expect(key).toHaveValue('sk-ant-wrong');
    await key.fill(KEY);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await key.press('Enter');
    await expect(dialogOf(page)).toBeHidden();
  });

  test('a key that is missing, and nothing at all', async ({ page, startBench }) => {
    const bench = await startBench(EMPTY);
    bench.model.requiredKey = KEY;
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Connect a model…' }).first().click();
    await dialogOf(page).getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Paste an API key, or enter the address of a server.');
    await expect(fieldOf(page)).toBeFocused();
    await fieldOf(page).fill(bench.model.url.replace('http:', 'https:'));
    await fieldOf(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('This server needs an API key.');
    await expect(page.getByRole('textbox', { name: 'API key, if the server needs one' })).toBeFocused();
    await page.keyboard.insertText(`export LOCAL_API_KEY='${KEY}'`);
    await page.keyboard.press('Enter');
    await expect(dialogOf(page)).toContainText(`The studio found the API at ${bench.model.url}`);
    await expect(page.getByText('Done')).toBeFocused();
  });

  test('an address without /v1, which is found', async ({ page, startBench }) => {
    const bench = await startBench(EMPTY);
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Connect a model…' }).first().click();
    await fieldOf(page).fill(bench.model.url.replace('/v1', '/chat/completions'));
    await fieldOf(page).press('Enter');
    await expect(dialogOf(page).getByRole('status').first()).toContainText(
      `Connected to ${new URL(bench.model.url).host}: 7`,
    );
    await expect(dialogOf(page)).toContainText(`The studio found the API at ${bench.model.url}`);
    await page.keyboard.press('Enter');
    await expect(dialogOf(page)).toBeHidden();
  });

  test('a web page, a server that is not there, and what is no address', async ({ page, startBench }) => {
    const bench = await startBench(EMPTY);
    const site = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    });
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve);
    });
    const { port } = site.address() as AddressInfo;
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Connect a model…' }).first().click();
    for (const [address, problem] of [
      [`http://127.0.0.1:${port}`, 'This address returns a web page instead of an API.'],
      [`http://127.0.0.1:${await freePort()}/v1`, 'The studio’s server can’t reach this address.'],
      ['http://169.254.169.254/v1', 'The studio’s server doesn’t call this address.'],
      ['http://exa mple', 'This isn’t a valid address.'],
    ] as const) {
      await fieldOf(page).fill(address);
      await fieldOf(page).press('Enter');
      await expect(page.getByRole('alert')).toContainText(problem);
      await expect(fieldOf(page)).toHaveValue(address);
    }
    site.close();
  });

  test('a server with 3,000 models: some are picked', async ({ page, startBench }) => {
    const bench = await startBench(EMPTY);
    const many = createServer((_, response) => {
      const data = Array.from({ length: 3_000 }, (__, index) => ({ id: `model-${index}` }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    await new Promise<void>((resolve) => {
      many.listen(0, '127.0.0.1', resolve);
    });
    const { port } = many.address() as AddressInfo;
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Connect a model…' }).first().click();
    await fieldOf(page).fill(`http://127.0.0.1:${port}/v1`);
    await fieldOf(page).press('Enter');
    const search = page.getByRole('textbox', { name: 'Find a model' });
    await expect(search).toBeFocused();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(dialogOf(page).getByRole('alert')).toContainText('Choose at least one model.');
    await expect(search).toBeFocused();
    await search.fill('model-2718');
    await page.getByRole('checkbox', { name: 'model-2718' }).click();
    await expect(dialogOf(page)).toContainText('1 model selected');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveText('model-2718');
    many.close();
  });
});
