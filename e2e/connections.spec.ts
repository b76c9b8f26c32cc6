import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { connect, dialogOf, EMPTY, fieldOf, KEY } from './lib/connect-dialog.ts';
import { expect, test } from './lib/fixtures.ts';
import { openSettings } from './lib/studio-page.ts';

const PROMPT = 'Who are you?';
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

test('from an empty browser to a connected model’s answer takes four actions with the keyboard', async ({
  studio,
  page,
  startBench,
}) => {
  const bench = await startBench(EMPTY);
  bench.model.script(PROMPT, [{ text: ANSWER }]);
  await page.goto(bench.url);
  await expect(studio.message).toBeVisible();
  // 1. The command palette. 2. Its command. 3. The address. 4. The question.
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('connect');
  await page.keyboard.press('Enter');
  await expect(fieldOf(page)).toBeFocused();
  await page.keyboard.insertText(bench.model.url);
  await page.keyboard.press('Enter');
  await expect(dialogOf(page)).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveText('scripted');
  await expect(studio.message).toBeFocused();
  await page.keyboard.type(PROMPT);
  await page.keyboard.press('Enter');
  await expect(studio.answers.last()).toContainText(ANSWER);
  expect(bench.model.keys).toEqual([undefined]);
});

test('[R18] a person’s key is sent to its address, and is found nowhere else', async ({ studio, page, startBench }) => {
  const bench = await startBench({ ...EMPTY, LOG_LEVEL: 'debug' });
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
  await connect(page, bench);
  await studio.say(PROMPT);
  await studio.settled(1);
  await studio.say('Fail');
  await studio.settled(2);
  await studio.say('Break');
  await studio.settled(3);
  await expect(page.getByRole('alert').last()).toBeVisible();
  expect(bench.model.keys).toEqual([KEY, KEY, KEY]);
  // Only the requests that use it carry it.
  expect([...carrying].sort()).toEqual([`/api/chat ${KEY}`, `/api/connections ${KEY}`]);
  // An examination uses it, too, and its report does not repeat it.
  bench.model.script('Good morning.', [{ status: 500, message: `internal error for ${KEY}` }]);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('model settings');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Examine', exact: true }).click();
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

test('who closes the dialog while it connects gets no connection', async ({ page, startBench }) => {
  const bench = await startBench(EMPTY);
  const gate = Promise.withResolvers<void>();
  const slow = createServer(async (_, response) => {
    await gate.promise;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [{ id: 'slow' }] }));
  });
  await new Promise<void>((resolve) => {
    slow.listen(0, '127.0.0.1', resolve);
  });
  await page.goto(bench.url);
  await page.getByRole('button', { name: 'Connect a model…' }).first().click();
  await fieldOf(page).fill(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`);
  await fieldOf(page).press('Enter');
  await expect(dialogOf(page).getByRole('button', { name: 'Connecting…' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toBeHidden();
  gate.resolve();
  await openSettings(page, 'Models');
  await expect(page.getByText('You haven’t connected any models yet.')).toBeVisible();
  await page.reload();
  await openSettings(page, 'Models');
  await expect(page.getByText('You haven’t connected any models yet.')).toBeVisible();
  slow.close();
});

test('a connection’s model is used at once in place of the demo, and not in place of another model', async ({
  studio,
  page,
  startBench,
}) => {
  const bench = await startBench(EMPTY);
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await page.goto(bench.url);
  await connect(page, bench);
  await expect(picker).toHaveText('scripted');
  await studio.choose('Model', 'raw');
  await openSettings(page, 'Models');
  await connect(page, bench, 'sk-another-key');
  await expect(page.getByRole('list', { name: 'Connections' })).toContainText(`${new URL(bench.model.url).host} 2`);
  await page.keyboard.press('Escape');
  await expect(picker).toHaveText('raw');
});

test('connecting the same again brings the connection up to date, and keeps what was chosen', async ({
  studio,
  page,
  startBench,
}) => {
  const bench = await startBench(EMPTY);
  bench.model.requiredKey = KEY;
  bench.model.script(PROMPT, [{ text: ANSWER }]);
  await page.goto(bench.url);
  await connect(page, bench);
  await openSettings(page, 'Models');
  await page.getByRole('button', { name: 'Edit the connection' }).click();
  await page.getByRole('checkbox', { name: 'no-tools' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a model…' }).first().click();
  await fieldOf(page).fill(bench.model.url);
  await page.getByRole('textbox', { name: 'API key, if the server needs one' }).fill(`"Bearer ${KEY}"`);
  await page.keyboard.press('Enter');
  await expect(dialogOf(page)).toContainText('You already have this connection');
  await expect(dialogOf(page).getByRole('checkbox', { name: 'no-tools' })).not.toBeChecked();
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  const list = page.getByRole('list', { name: 'Connections' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await studio.say(PROMPT);
  await expect(studio.answers.last()).toContainText(ANSWER);
  expect(bench.model.keys).toEqual([KEY]);
});

test('keys under a passphrase must be unlocked on every new page', async ({ studio, page, startBench }) => {
  const bench = await startBench(EMPTY);
  bench.model.requiredKey = KEY;
  bench.model.script(PROMPT, [{ text: ANSWER }]);
  await page.goto(bench.url);
  await connect(page, bench);
  await openSettings(page, 'Models');
  await page.getByRole('button', { name: 'Protect keys with a passphrase…' }).click();
  const passphrase = page.getByRole('textbox', { name: 'Passphrase', exact: true });
  await passphrase.fill('short');
  await passphrase.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Use at least 8 characters.');
  await passphrase.fill('correct horse');
  const again = page.getByRole('textbox', { name: 'Passphrase again' });
  await again.fill('corect horse');
  await again.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The two passphrases aren’t the same.');
  await again.fill('correct horse');
  await again.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove the passphrase' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('The key of this model is locked.')).toBeVisible();
  await studio.say(PROMPT);
  await expect(studio.answers.last().getByRole('alert')).toContainText('Your keys are locked.');
  await studio.answers.last().getByRole('button', { name: 'Unlock keys…' }).click();
  await passphrase.fill('wrong horse');
  await passphrase.press('Enter');
  await expect(page.getByRole('alert').last()).toContainText('That’s not the passphrase.');
  await passphrase.fill('correct horse');
  await passphrase.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Unlock your keys' })).toBeHidden();
  await expect(page.getByText('The key of this model is locked.')).toBeHidden();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(studio.answers.last()).toContainText(ANSWER);
});

test('a key that is refused in a chat can be replaced there', async ({ studio, page, startBench }) => {
  const bench = await startBench(EMPTY);
  bench.model.requiredKey = KEY;
  bench.model.script(PROMPT, [{ text: ANSWER }]);
  await page.goto(bench.url);
  await connect(page, bench);
  bench.model.requiredKey = 'sk-canary-the-next-key';
  await studio.say(PROMPT);
  const alert = studio.answers.last().getByRole('alert');
  await expect(alert).toContainText('The provider rejected the API key.');
  await alert.getByRole('button', { name: 'Enter the key…' }).click();
  const field = page.getByRole('textbox', { name: 'Replace the key' });
  await expect(field).toBeFocused();
  await field.fill('Bearer sk-canary-the-next-key');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(studio.answers.last()).toContainText(ANSWER);
});

test('a connection can be renamed, reloaded and deleted', async ({ studio, page, startBench }) => {
  const bench = await startBench(EMPTY);
  await page.goto(bench.url);
  await connect(page, bench);
  await openSettings(page, 'Models');
  await page.getByRole('button', { name: `Edit the connection ${new URL(bench.model.url).host}` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('My box');
  await page.getByRole('checkbox', { name: 'no-tools' }).click();
  await page.getByRole('button', { name: 'Reload models' }).click();
  await expect(page.getByRole('status').last()).toContainText('Reloaded: 7 models.');
  // However the dialog is closed.
  await page.keyboard.press('Escape');
  const list = page.getByRole('list', { name: 'Connections' });
  await expect(list).toContainText('My box');
  await expect(list).toContainText('6 of 7 models');
  await page.getByRole('button', { name: 'Edit the connection My box' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await expect(page.getByText('You haven’t connected any models yet.')).toBeVisible();
  expect(studio.problems).toEqual([]);
});

test('an operator can turn personal connections off', async ({ page, startBench }) => {
  const bench = await startBench({ ...EMPTY, PERSONAL_KEYS: 'false' });
  await page.goto(bench.url);
  await expect(page.getByText('Only the demo is available.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect a model…' })).toHaveCount(0);
  const answer = await page.request.post(`${bench.url}/api/connections`, {
    data: { provider: 'local', baseURL: bench.model.url },
  });
  expect(answer.status()).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'personal-keys-off' });
});

test('a backup brings connections back without keys, and nothing is sent to them until their models are picked', async ({
  page,
  browser,
  startBench,
}) => {
  const bench = await startBench(EMPTY);
  await page.goto(bench.url);
  await connect(page, bench);
  await openSettings(page, 'Data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a backup' }).click(),
  ]);
  const backup = await download.path();
  const other = await browser.newContext({ baseURL: bench.url, locale: 'en-US' });
  const fresh = await other.newPage();
  await fresh.goto('/');
  await openSettings(fresh, 'Data');
  const [chooser] = await Promise.all([
    fresh.waitForEvent('filechooser'),
    fresh.getByRole('button', { name: 'Restore a backup' }).click(),
  ]);
  await chooser.setFiles({ name: 'backup.zip', mimeType: 'application/zip', buffer: readFileSync(backup) });
  await fresh.getByRole('button', { name: 'Restore', exact: true }).click();
  await fresh.getByRole('tab', { name: 'Models' }).click();
  await expect(fresh.getByRole('list', { name: 'Connections' })).toContainText('no models selected');
  await fresh.keyboard.press('Escape');
  await expect(fresh.getByRole('combobox', { name: 'Model', exact: true })).not.toHaveText('scripted');
  await fresh.getByRole('textbox', { name: 'Message', exact: true }).fill('Is anybody there?');
  await fresh.keyboard.press('Enter');
  await expect(fresh.getByRole('article', { name: 'Assistant' })).toContainText('no longer available');
  await expect(fresh.getByRole('article', { name: 'Assistant' })).not.toContainText('personal-');
  expect(bench.model.requests).toEqual([]);
  await fresh.getByRole('button', { name: 'New thread' }).click();
  await expect(fresh.getByRole('main')).toContainText('None of your connections’ models is selected.');
  await fresh.getByRole('button', { name: 'Open settings' }).click();
  await expect(fresh.getByRole('list', { name: 'Connections' })).toContainText('Its key isn’t in this browser.');
  await fresh.getByRole('button', { name: 'Edit the connection' }).click();
  await fresh.getByRole('button', { name: 'Use the 7 models that you had selected' }).click();
  await fresh.getByRole('textbox', { name: 'API key' }).fill(KEY);
  await fresh.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(fresh.getByRole('list', { name: 'Connections' })).toContainText('7 models');
  await other.close();
});
