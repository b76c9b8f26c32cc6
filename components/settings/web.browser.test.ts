import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { askForCall, resultOf } from '#components/test/one-call.ts';
import { webTest as test } from '#components/test/web-test.ts';

/** The rows of the network activity. */
const rows = page
  .getByRole('table', { name: 'Network activity' })
  .getByRole('row')
  .filter({ hasNot: page.getByRole('columnheader') });

test('a page is fetched once its host is allowed, another host asks again, and both are recorded', async ({
  studio,
  site,
  other,
}) => {
  const [url, host] = [await site.get('url'), await site.get('host')];
  const [otherUrl, otherHost] = [await other.get('url'), await other.get('host')];
  await studio.open();
  await studio.toggleTool('Web');
  const first = await askForCall(studio, 'fetch_url', { url: `${url}/trees?q=private-words` });
  const card = studio.call('fetch_url');
  await expect.element(card).toContainText(`The model wants to fetch ${url}/trees?q=private-words from the web.`);
  await expect.element(card).toContainText(`This call sends a request to ${host} (on your network).`);
  expect(await site.get('requests')).toEqual([]);
  await studio.allow.click();
  await studio.settled();
  const text = await resultOf(first);
  expect(text).toContain(`[200 text/html; charset=utf-8 from ${url}/trees?q=private-words]`);
  expect(text).toContain('# Trees of the park');
  expect(text).toMatch(/- +Oak: 40/);
  expect(text).toContain(`[The map](${url}/map)`);
  // Neither the server nor the page asks for anything else.
  expect(await site.get('requests')).toEqual(['GET /trees?q=private-words']);

  // The host is allowed in this thread; another one is not, even where only its port differs.
  await askForCall(studio, 'fetch_url', { url: `${url}/data` });
  await studio.settled(2);
  expect(await site.get('requests')).toEqual(['GET /trees?q=private-words', 'GET /data']);
  await askForCall(studio, 'fetch_url', { url: `${otherUrl}/data` });
  await expect
    .element(studio.call('fetch_url', -1))
    .toContainText(`This call sends a request to ${otherHost} (on your network).`);
  expect(await other.get('requests')).toEqual([]);
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled(3);

  // A redirect to another host is told, and not followed.
  await site.call('redirect', '/away', `${otherUrl}/trees`);
  const away = await askForCall(studio, 'fetch_url', { url: `${url}/away` });
  await studio.settled(4);
  expect(await resultOf(away)).toContain(
    `It redirects to another host. The redirect was not followed: ${otherUrl}/trees`,
  );
  expect(await other.get('requests')).toEqual(['GET /data']);

  // An address that is never called is refused by the server, even if the person allows it.
  const refused = await askForCall(studio, 'fetch_url', { url: 'http://169.254.169.254/latest/meta-data' });
  await studio.allowOnce.click();
  await studio.settled(5);
  expect(await resultOf(refused)).toContain('Not sent. The studio never calls 169.254.169.254');

  await studio.openSettings('Permissions');
  await expect.element(rows).toHaveLength(5);
  await expect.element(rows.nth(4)).toContainText(`${host}Status 200Allowed when asked`);
  await expect.element(rows.nth(3)).toContainText(`${host}Status 200Allowed in the thread`);
  await expect.element(rows.nth(2)).toContainText(`${otherHost}Status 200Allowed when asked`);
  await expect.element(rows.nth(1)).toContainText(`${host}Status 302`);
  await expect.element(rows.nth(0)).toContainText('169.254.169.254:80No response');
  await expect.element(rows.nth(0)).toContainText('The studio never calls');
  await expect.element(page.getByRole('dialog')).not.toContainText('private-words');
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('169.254');
  await expect.element(rows).toHaveLength(1);
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('');
  await page.getByRole('checkbox', { name: 'Only denied and failed requests' }).click();
  await expect.element(rows).toHaveLength(1);
});

test('code can fetch from hosts that the person allows, and is told why not otherwise', async ({ studio, site }) => {
  const [url, host] = [await site.get('url'), await site.get('host')];
  await studio.open();
  const code = `const response = await fetch('${url}/data'); [response.status, response.url.endsWith('/data'), await response.json()]`;

  // While the web is off, code is told so, and nobody is asked about a host.
  const off = await askForCall(studio, 'browser_js_eval', { code });
  await studio.allowOnce.click();
  await studio.settled();
  expect(await resultOf(off)).toContain('The toolset "web" is turned off for this thread.');
  expect(await site.get('requests')).toEqual([]);

  await studio.toggleTool('Web');
  const denied = await askForCall(studio, 'browser_js_eval', { code: code.replaceAll('response', 'denied') });
  await studio.allowOnce.click();
  const card = studio.call('browser_js_eval', -1);
  // That the code may run does not mean that it may reach the host.
  await expect.element(card).toContainText(`This call sends a request to ${host} (on your network).`);
  expect(await site.get('requests')).toEqual([]);
  await studio.deny.click();
  await studio.settled(2);
  expect(await resultOf(denied)).toContain('TypeError: Failed to fetch: Not run.');
  expect(await site.get('requests')).toEqual([]);

  const allowed = await askForCall(studio, 'browser_js_eval', {
    code: `${code.replaceAll('response', 'allowed')}; const head = await fetch('${url}/data', { method: 'HEAD' }); [await (await fetch('${url}/data')).json(), head.status]`,
  });
  await studio.allowOnce.click();
  await expect.element(card).toContainText(`This call sends a request to ${host} (on your network).`);
  await studio.allow.click();
  await studio.settled(3);
  expect(await resultOf(allowed)).toContain('[{oaks: 40}, 200]');
  expect(await site.get('requests')).toEqual(['GET /data', 'HEAD /data', 'GET /data']);

  const posting = await askForCall(studio, 'browser_js_eval', {
    code: `const failures = []; for (const init of [{ method: 'POST', body: 'x' }, { headers: { 'X-Key': '1' } }]) await fetch('${url}/data', init).catch((error) => failures.push(error.message)); failures`,
  });
  await studio.allowOnce.click();
  await studio.settled(4);
  expect(await resultOf(posting)).toContain('Only GET and HEAD can be sent from here, not POST.');
  expect(await resultOf(posting)).toContain('No headers can be sent from here. Remove “x-key”.');
  expect(await site.get('requests')).toHaveLength(3);

  await studio.openSettings('Permissions');
  await expect.element(rows.first()).toContainText('fetch_url, in “');
  await expect.element(rows.getByText('Denied')).toHaveLength(2);
});

test('a page that takes forever to read does not stall the studio, and its text arrives', async ({ studio, site }) => {
  await site.call('serve', '/deep', `${'<div>'.repeat(150_000)}deep down`);
  await studio.open();
  await studio.toggleTool('Web');
  const question = await askForCall(studio, 'fetch_url', { url: `${await site.get('url')}/deep` });
  await studio.allowOnce.click();
  await studio.settled();
  expect(await resultOf(question)).toContain('deep down');
  expect(await resultOf(question)).toContain('so this is its plain text');
});
