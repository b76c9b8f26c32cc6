import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { openSettings } from './lib/studio-page.ts';

const KEY = 'sk-canary-0123456789abcdef';
const PROMPT = 'Who are you? (title: An introduction)';
const ANSWER = 'I am the model that you connected.';

/** Everything that the browser has stored, as text. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const texts: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of db.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result as unknown[]);
        });
        texts.push(
          JSON.stringify(values, (_, value: unknown) =>
            value instanceof ArrayBuffer || ArrayBuffer.isView(value)
              ? new TextDecoder('latin1').decode(value as ArrayBuffer)
              : value,
          ),
        );
      }
      db.close();
    }
    return texts.join('\n');
  });

test('[R18] a person’s key is sent to its address, and is found nowhere else', async ({ studio, page, startBench }) => {
  const bench = await startBench({ MODELS_FILE: 'no-such-file.yaml', LOG_LEVEL: 'debug' });
  bench.model.requiredKey = KEY;
  bench.model.script(PROMPT, [{ text: ANSWER }]);
  bench.model.script('Fail', [{ status: 500, message: `internal error for ${KEY}` }]);
  bench.model.script('Break', [{ text: 'Once upon a time', breakAfter: 6 }]);
  const urls: string[] = [];
  const carrying = new Set<string>();
  page.on('request', (request) => {
    urls.push(request.url());
    const key = request.headers()['x-roundtrip-key'];
    if (key !== undefined) carrying.add(`${new URL(request.url()).pathname} ${key}`);
  });
  await page.goto(bench.url);
  await page.getByRole('button', { name: 'Connect a model…' }).first().click();
  await page.getByRole('textbox', { name: 'API key or address' }).fill(bench.model.url);
  await page.getByRole('textbox', { name: 'API key, if the server needs one' }).fill(KEY);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Connect a model' })).toBeHidden();
  await studio.say(PROMPT);
  await studio.settled(1);
  // The thread's title, which the same model writes, needs the key, too.
  await expect(page.getByRole('link', { name: 'An introduction', exact: true })).toBeVisible();
  await studio.say('Fail');
  await studio.settled(2);
  await studio.say('Break');
  await studio.settled(3);
  await expect(page.getByRole('alert').last()).toBeVisible();
  expect(bench.model.keys).toEqual([KEY, KEY, KEY]);
  // Only the requests that use it carry it.
  expect([...carrying].sort()).toEqual([`/api/chat ${KEY}`, `/api/connections ${KEY}`, `/api/title ${KEY}`]);
  // An examination uses it, too, and its report does not repeat it.
  bench.model.script('Good morning.', [{ status: 500, message: `internal error for ${KEY}` }]);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('model settings');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Run check', exact: true }).click();
  await expect(page.getByRole('dialog').getByText('internal error for')).toBeVisible();
  expect([...carrying].sort()[2]).toBe(`/api/examinations ${KEY}`);
  await page.keyboard.press('Escape');
  // The next page uses it, too.
  await page.reload();
  bench.model.script('Again', [{ text: ANSWER }]);
  await studio.say('Again');
  await studio.settled(4);
  expect(bench.model.keys.at(-1)).toBe(KEY);

  expect(urls.join('\n')).not.toContain(KEY);
  expect(bench.log()).not.toContain(KEY);
  expect(await stored(page)).not.toContain(KEY);
  for (const file of ['checkpoints.db', 'checkpoints.db-wal'])
    expect(readFileSync(join(bench.folder, file)).includes(KEY), file).toBe(false);
  await expect(page.locator('body')).not.toContainText(KEY);
  await openSettings(page, 'Data');
  for (const name of ['Save a backup', 'Export this thread']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    const path = await download.path();
    expect(readFileSync(path).includes(KEY), name).toBe(false);
  }
});
