import type { Locator, Page } from '@playwright/test';
import type { TestBench } from './lib/bench.ts';
import { test as base, expect } from './lib/fixtures.ts';
import { LoginTestServer } from './lib/login-server.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const test = base.extend<{ server: LoginTestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  server: async ({}, use) => {
    const server = await LoginTestServer.start();
    await use(server);
    await server.stop();
  },
});

/** The line of the server in the settings. */
const line = (page: Page): Locator => page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem');
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Log in to weather' });

/** Adds the server in the settings, which then says that it wants a login. */
async function add(studio: StudioPage, page: Page, server: LoginTestServer): Promise<void> {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.tools.url);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('weather');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(line(page).getByRole('alert')).toContainText('This server requires you to log in.');
}

/** Goes to the authorization server: its window. */
async function goThere(page: Page): Promise<Page> {
  await line(page).getByRole('button', { name: 'Log in…' }).click();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    dialogOf(page).getByRole('button', { name: 'Continue to localhost' }).click(),
  ]);
  await expect(popup).toHaveTitle('Log in');
  return popup;
}

async function logIn(page: Page): Promise<void> {
  const popup = await goThere(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('link', { name: 'Agree' }).click();
  await closed;
  await expect(dialogOf(page)).toBeHidden();
  await expect(line(page)).toContainText('Connected');
}

/** Asks something that the model answers by a call of the server’s tool; what the model is told about it. */
async function ask(studio: StudioPage, bench: TestBench, city: string) {
  const question = prompt(`Weather in ${city}?`);
  const call = { name: 'weather_forecast', arguments: JSON.stringify({ city }) };
  bench.model.script(question, [{ calls: [call] }, { text: `I have asked about ${city}.` }]);
  await studio.say(question);
  await studio.allowOnce.click();
  await expect(studio.page.getByText(`I have asked about ${city}.`)).toBeVisible();
  const messages = bench.model.requestsFor(question).at(-1)?.messages;
  return messages?.findLast(({ role }) => role === 'tool')?.content;
}

for (const [how, isOpenToPages] of [
  ['directly', true],
  ['through the studio’s server, if nobody lets pages call them', false],
] as const)
  test(`a person logs in ${how}, and the server’s tools are used`, async ({ studio, bench, page, server }) => {
    server.isOpenToPages = isOpenToPages;
    server.tools.isOpenToPages = isOpenToPages;
    await add(studio, page, server);
    await logIn(page);
    await page.keyboard.press('Escape');
    expect(await ask(studio, bench, 'Lima')).toBe('It rains in Lima.');
    expect(server.tools.calls).toEqual(['forecast Lima']);
    expect(server.auth.forms).toHaveLength(1);
    expect(new Set(server.origins)).toEqual(new Set([isOpenToPages ? bench.url : undefined]));
    // The token is known to nobody else.
    const token = server.auth.shown.at(-1)?.replace('Bearer ', '') ?? '';
    expect(token).toMatch(/^access-/);
    expect(JSON.stringify(bench.model.requests)).not.toContain(token);
    expect(bench.log()).not.toContain(token);
    expect(await page.content()).not.toContain(token);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token);
  });

test('a person who refuses, or closes the window, is told what to do, and nothing is stored', async ({
  page,
  studio,
  server,
}) => {
  await add(studio, page, server);
  const first = await goThere(page);
  await first.close();
  await expect(dialogOf(page).getByRole('status')).toContainText('If you closed the window, open it again.');
  const [second] = await Promise.all([
    page.waitForEvent('popup'),
    dialogOf(page).getByRole('button', { name: 'Open again' }).click(),
  ]);
  await second.getByRole('link', { name: 'Refuse' }).click();
  await expect(dialogOf(page).getByRole('alert')).toContainText('access was denied');
  expect(server.auth.forms).toEqual([]);
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(dialogOf(page).getByRole('button', { name: 'Continue to localhost' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(line(page).getByRole('alert')).toContainText('This server requires you to log in.');
});

test('a forged or repeated answer changes nothing', async ({ page, studio, server, context, bench }) => {
  await add(studio, page, server);
  const popup = await goThere(page);
  const forged = await context.newPage();
  // It waits for a while whether somebody answers.
  await forged.clock.install();
  await forged.goto(`${bench.url}/oauth/callback?code=evil&state=evil&iss=${server.auth.issuer}`);
  await forged.clock.fastForward(5_000);
  await expect(forged.getByText('No page of the studio waits for this login')).toBeVisible();
  expect(forged.url()).toBe(`${bench.url}/oauth/callback`);
  await expect(dialogOf(page).getByRole('status')).toContainText('in the window that opened');
  const answer = await popup.getByRole('link', { name: 'Agree' }).getAttribute('href');
  await popup.getByRole('link', { name: 'Agree' }).click();
  await expect(line(page)).toContainText('Connected');
  await forged.clock.resume();
  await forged.goto(answer ?? '');
  await expect(forged.getByText('No page of the studio waits for this login')).toBeVisible();
  expect(server.auth.forms).toHaveLength(1);
});

test('a window that is blocked leaves a link', async ({ page, studio, server }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await add(studio, page, server);
  await line(page).getByRole('button', { name: 'Log in…' }).click();
  await dialogOf(page).getByRole('button', { name: 'Continue to localhost' }).click();
  await expect(dialogOf(page).getByRole('alert')).toContainText('Your browser blocked the window.');
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    dialogOf(page)
      .getByRole('link', { name: /localhost/ })
      .click(),
  ]);
  await popup.getByRole('link', { name: 'Agree' }).click();
  await expect(line(page)).toContainText('Connected');
});

test('the studio describes itself to authorization servers at its own addresses only', async ({ request, bench }) => {
  const host = new URL(bench.url).host;
  const response = await request.get('/oauth/client-metadata.json');
  expect(await response.json()).toEqual({
    client_id: `https://${host}/oauth/client-metadata.json`,
    application_type: 'web',
    client_name: 'Roundtrip Studio',
    client_uri: `https://${host}/`,
    redirect_uris: [`https://${host}/oauth/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  for (const path of ['/oauth/client-metadata.json', '/oauth/callback'])
    expect((await request.get(path, { headers: { host: 'evil.test' } })).status()).toBe(403);
});
