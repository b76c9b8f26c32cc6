import type { Locator, Page } from '@playwright/test';
import type { TestBench } from './lib/bench.ts';
import { test as base, expect } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';
import { WebTestServer } from './lib/web-server.ts';

const test = base.extend<{ site: WebTestServer; other: WebTestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  site: async ({}, use) => {
    const server = await WebTestServer.start();
    await use(server);
    await server.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  other: async ({}, use) => {
    const server = await WebTestServer.start();
    await use(server);
    await server.stop();
  },
});

/** Lets the model call a tool, and waits for nothing. Returns the question. */
async function ask(
  { studio, bench }: { studio: StudioPage; bench: TestBench },
  name: string,
  input: object,
): Promise<string> {
  const question = prompt(`Please use ${name}`);
  bench.model.script(question, [{ calls: [{ name, arguments: JSON.stringify(input) }] }, { text: 'Done.' }]);
  await studio.say(question);
  return question;
}

const resultOf = (bench: TestBench, question: string): string =>
  String(
    bench.model
      .requestsFor(question)
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'tool')?.content,
  );

/** The rows of the network activity. */
const rows = (page: Page): Locator =>
  page
    .getByRole('table', { name: 'Network activity' })
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') });

test('a page is fetched once its host is allowed, another host asks again, and both are recorded', async ({
  studio,
  bench,
  page,
  site,
  other,
}) => {
  // The relay refuses an address.
  studio.expectedProblems.push('status of 400');
  await studio.open();
  await studio.toggleTool('Web');
  const first = await ask({ studio, bench }, 'fetch_url', { url: `${site.url}/trees?q=private-words` });
  const card = studio.call('fetch_url');
  await expect(card).toContainText(`The model wants to fetch ${site.url}/trees?q=private-words from the web.`);
  await expect(card).toContainText(`It sends a request to ${site.host}.`);
  expect(site.requests).toEqual([]);
  await studio.allow.click();
  await studio.settled();
  const text = resultOf(bench, first);
  expect(text).toContain(`[200 text/html; charset=utf-8 from ${site.url}/trees?q=private-words]`);
  expect(text).toContain('# Trees of the park');
  expect(text).toMatch(/- +Oak: 40/);
  expect(text).toContain(`[The map](${site.url}/map)`);
  // Neither the server nor the page asks for anything else.
  expect(site.requests).toEqual(['GET /trees?q=private-words']);

  // The host is allowed in this thread; another one is not, even where only its port differs.
  await ask({ studio, bench }, 'fetch_url', { url: `${site.url}/data` });
  await studio.settled(2);
  expect(site.requests).toEqual(['GET /trees?q=private-words', 'GET /data']);
  await ask({ studio, bench }, 'fetch_url', { url: `${other.url}/data` });
  await expect(studio.call('fetch_url', -1)).toContainText(`It sends a request to ${other.host}.`);
  expect(other.requests).toEqual([]);
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled(3);

  // A redirect to another host is told, and not followed.
  site.answers.set('/away', (response) => response.writeHead(302, { location: `${other.url}/trees` }).end());
  const away = await ask({ studio, bench }, 'fetch_url', { url: `${site.url}/away` });
  await studio.settled(4);
  expect(resultOf(bench, away)).toContain(`It redirects to another host, which was not followed: ${other.url}/trees`);
  expect(other.requests).toEqual(['GET /data']);

  // An address that is never called is refused by the server, even if the person allows it.
  const refused = await ask({ studio, bench }, 'fetch_url', { url: 'http://169.254.169.254/latest/meta-data' });
  await studio.allowOnce.click();
  await studio.settled(5);
  expect(resultOf(bench, refused)).toContain('Not sent. The studio never calls 169.254.169.254');

  await studio.openSettings('Permissions');
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(4)).toContainText(`${site.host}Status 200You were asked`);
  await expect(rows(page).nth(3)).toContainText(`${site.host}Status 200Allowed in the thread`);
  await expect(rows(page).nth(2)).toContainText(`${other.host}Status 200You were asked`);
  await expect(rows(page).nth(1)).toContainText(`${site.host}Status 302`);
  await expect(rows(page).nth(0)).toContainText('169.254.169.254:80No answer');
  await expect(rows(page).nth(0)).toContainText('The studio never calls');
  await expect(page.getByRole('dialog')).not.toContainText('private-words');
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('169.254');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Filter by host' }).fill('');
  await page.getByRole('checkbox', { name: 'Only refused and failed requests' }).check();
  await expect(rows(page)).toHaveCount(1);

  // What was allowed can be revoked: the host asks again.
  await page.getByRole('button', { name: `Revoke: Requests to ${other.host}, in every thread` }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await ask({ studio, bench }, 'fetch_url', { url: `${other.url}/data` });
  await studio.deny.click();
  await studio.settled(6);
  expect(other.requests).toEqual(['GET /data']);
  await studio.openSettings('Permissions');
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(page).nth(0)).toContainText(`${other.host}Denied`);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Clear the network activity?' })
    .getByRole('button', { name: 'Clear' })
    .click();
  await expect(page.getByText('No requests.')).toBeVisible();
});

test('code can fetch from hosts that the person allows, and is told why not otherwise', async ({
  studio,
  bench,
  page,
  site,
}) => {
  studio.expectedProblems.push('Content Security Policy', 'violates', 'Fetch API');
  await studio.open();
  const code = `const response = await fetch('${site.url}/data'); [response.status, response.url.endsWith('/data'), await response.json()]`;

  // While the web is off, code is told so, and nobody is asked about a host.
  const off = await ask({ studio, bench }, 'browser_js_eval', { code });
  await studio.allowOnce.click();
  await studio.settled();
  expect(resultOf(bench, off)).toContain('The toolset "web" is switched off for this thread.');
  expect(site.requests).toEqual([]);

  await studio.toggleTool('Web');
  const denied = await ask({ studio, bench }, 'browser_js_eval', { code: code.replaceAll('response', 'denied') });
  await studio.allowOnce.click();
  const card = studio.call('browser_js_eval', -1);
  // That the code may run does not mean that it may reach the host.
  await expect(card).toContainText(`It sends a request to ${site.host}.`);
  expect(site.requests).toEqual([]);
  await studio.deny.click();
  await studio.settled(2);
  expect(resultOf(bench, denied)).toContain('TypeError: Failed to fetch: Not run.');
  expect(site.requests).toEqual([]);

  const allowed = await ask({ studio, bench }, 'browser_js_eval', {
    code: `${code.replaceAll('response', 'allowed')}; const head = await fetch('${site.url}/data', { method: 'HEAD' }); [await (await fetch('${site.url}/data')).json(), head.status]`,
  });
  await studio.allowOnce.click();
  await expect(card).toContainText(`It sends a request to ${site.host}.`);
  await studio.allow.click();
  await studio.settled(3);
  expect(resultOf(bench, allowed)).toContain('[{oaks: 40}, 200]');
  expect(site.requests).toEqual(['GET /data', 'HEAD /data', 'GET /data']);

  const posting = await ask({ studio, bench }, 'browser_js_eval', {
    code: `const failures = []; for (const init of [{ method: 'POST', body: 'x' }, { headers: { 'X-Key': '1' } }]) await fetch('${site.url}/data', init).catch((error) => failures.push(error.message)); failures`,
  });
  await studio.allowOnce.click();
  await studio.settled(4);
  expect(resultOf(bench, posting)).toContain('Only GET and HEAD can be sent from here, not POST.');
  expect(resultOf(bench, posting)).toContain('No headers can be sent from here. Remove “x-key”.');
  expect(site.requests).toHaveLength(3);

  await studio.openSettings('Permissions');
  await expect(rows(page).first()).toContainText('fetch_url, in “');
  await expect(rows(page).getByText('Denied')).toHaveCount(2);
});

test('a page that takes forever to read does not stall the studio, and its text arrives', async ({
  studio,
  bench,
  site,
}) => {
  site.answers.set('/deep', (response) =>
    response.setHeader('content-type', 'text/html').end(`${'<div>'.repeat(150_000)}deep down`),
  );
  await studio.open();
  await studio.toggleTool('Web');
  const question = await ask({ studio, bench }, 'fetch_url', { url: `${site.url}/deep` });
  await studio.allowOnce.click();
  await studio.settled();
  expect(resultOf(bench, question)).toContain('deep down');
  expect(resultOf(bench, question)).toContain('so this is its plain text');
});

test('code in the console can fetch, too, and asks about each host that is not allowed', async ({
  studio,
  bench,
  page,
  site,
}) => {
  studio.expectedProblems.push('Content Security Policy', 'violates', 'Fetch API');
  await studio.open({ files: { '/notes.md': 'one' } });
  await ask({ studio, bench }, 'list_directory', { path: '/' });
  await studio.settled();
  await page.getByRole('tab', { name: 'Console' }).click();
  const console = page.getByRole('region', { name: 'Console' });
  const output = page.getByRole('log', { name: 'Console output' });
  const run = async (code: string) => {
    const input = console.getByRole('textbox');
    await input.fill(code);
    await input.press('Enter');
  };
  const code = `(await (await fetch('${site.url}/data')).json()).oaks`;

  await run(code);
  const question = console.getByRole('alert');
  await expect(question).toContainText(`Your code wants to send a request to ${site.host}.`);
  await expect(question).toContainText(`${site.url}/data`);
  await expect(question).not.toContainText('The model’s code');
  expect(site.requests).toEqual([]);
  await question.getByRole('button', { name: 'Deny' }).click();
  await expect(output).toContainText('Failed to fetch: Not run. You did not allow it.');
  expect(site.requests).toEqual([]);

  await run(`[${code}, ${code}].join(' and ')`);
  await question.getByRole('button', { name: 'Allow for this run' }).click();
  await expect(output).toContainText('40 and 40');
  await expect(question).toBeHidden();
  expect(site.requests).toEqual(['GET /data', 'GET /data']);

  // A question ends with its code.
  await run(code);
  await expect(question).toBeVisible();
  await console.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(question).toBeHidden();
  expect(site.requests).toHaveLength(2);

  await studio.openSettings('Permissions');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(0)).toContainText(`${site.host}Status 200You were asked`);
  await expect(rows(page).nth(0)).toContainText('Console of “');
  await expect(rows(page).nth(2)).toContainText(`${site.host}Denied`);
});
