import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard, press } from '#components/test/browser.ts';
import { askForCall } from '#components/test/one-call.ts';
import { webTest as test } from '#components/test/web-test.ts';

/** The rows of the network activity. */
const rows = page
  .getByRole('table', { name: 'Network activity' })
  .getByRole('row')
  .filter({ hasNot: page.getByRole('columnheader') });

test('a host that was always allowed can be revoked, and the network activity be cleared', async ({ studio, site }) => {
  const [url, host] = [await site.get('url'), await site.get('host')];
  await studio.open();
  await studio.toggleTool('Web');
  await askForCall(studio, 'fetch_url', { url: `${url}/data` });
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  await studio.openSettings('Permissions');
  await page.getByRole('button', { name: `Revoke: Requests to ${host}, in every thread` }).click();
  await keyboard.press('Escape');
  await studio.reopen();
  await askForCall(studio, 'fetch_url', { url: `${url}/data` });
  await studio.deny.click();
  await studio.settled(2);
  expect(await site.get('requests')).toEqual(['GET /data']);
  await studio.openSettings('Permissions');
  await expect.element(rows).toHaveLength(2);
  await expect.element(rows.nth(0)).toContainText(`${host}Denied`);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Clear the network activity?' });
  await question.getByRole('button', { name: 'Clear' }).click();
  await expect.element(page.getByText('No requests.')).toBeVisible();
});

test('code in the console can fetch, too, and asks about each host that is not allowed', async ({ studio, site }) => {
  const [url, host] = [await site.get('url'), await site.get('host')];
  await studio.open({ files: { '/notes.md': 'one' } });
  await askForCall(studio, 'list_directory', { path: '/' });
  await studio.settled();
  await page.getByRole('tab', { name: 'Console' }).click();
  const console = page.getByRole('region', { name: 'Console' });
  const output = page.getByRole('log', { name: 'Console output' });
  const run = async (code: string) => {
    const input = console.getByRole('textbox');
    await input.fill(code);
    await press(input, 'Enter');
  };
  const code = `(await (await fetch('${url}/data')).json()).oaks`;

  await run(code);
  const question = console.getByRole('alert');
  await expect.element(question).toContainText(`Your code wants to send a request to ${host}.`);
  await expect.element(question).toContainText(`${url}/data`);
  await expect.element(question).not.toContainText('The model’s code');
  expect(await site.get('requests')).toEqual([]);
  await question.getByRole('button', { name: 'Deny' }).click();
  await expect.element(output).toContainText('Failed to fetch: Not run. You did not allow it.');
  expect(await site.get('requests')).toEqual([]);

  await run(`[${code}, ${code}].join(' and ')`);
  await question.getByRole('button', { name: 'Allow for this run' }).click();
  await expect.element(output).toContainText('40 and 40');
  await expect.element(question).not.toBeInTheDocument();
  expect(await site.get('requests')).toEqual(['GET /data', 'GET /data']);

  // A question ends with its code.
  await run(code);
  await expect.element(question).toBeVisible();
  await console.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(await site.get('requests')).toHaveLength(2);

  await studio.openSettings('Permissions');
  await expect.element(rows).toHaveLength(3);
  await expect.element(rows.nth(0)).toContainText(`${host}Status 200Allowed when asked`);
  await expect.element(rows.nth(0)).toContainText('Console in “');
  await expect.element(rows.nth(2)).toContainText(`${host}Denied`);
});
