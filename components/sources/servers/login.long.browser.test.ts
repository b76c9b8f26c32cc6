import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { resultOf } from '#components/test/one-call.ts';
import { type RemoteServer, startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test as base } from '#components/test/studio-test.ts';
import type { LoginTestServer } from '#e2e/lib/login-server.ts';
import { OAUTH_CHANNEL, type OAuthMessage } from '#lib/wire/oauth.ts';
import { addServer, askForWeather, serverLine } from './test/tool-servers.ts';

const test = base.extend<{ server: RemoteServer<LoginTestServer> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  server: async ({}, use) => {
    const server = await startServer('tool server with a login');
    await use(server);
    await server.stop();
  },
});

/** Opens the studio, and adds the server in the settings, which then show that it needs a login. */
async function openAndAdd(studio: StudioPage, server: RemoteServer<LoginTestServer>): Promise<void> {
  await studio.open();
  await addServer(studio, await server.get('url'));
  await expect.element(serverLine.getByRole('alert')).toContainText('This server requires you to log in.');
}

/** Runs an action that opens a login window, and agrees in its place. e2e/mcp-login.spec.ts does so in a real window. */
async function agreeIn(server: RemoteServer<LoginTestServer>, open: () => Promise<void>): Promise<void> {
  const { promise: address, resolve } = Promise.withResolvers<string>();
  const opening = vi.spyOn(window, 'open');
  onTestFinished(() => opening.mockRestore());
  opening.mockReturnValue({ opener: window, location: { replace: resolve } } as unknown as Window);
  await open();
  const { search } = new URL(await server.call('agree', await address));
  const channel = new BroadcastChannel(OAUTH_CHANNEL);
  channel.postMessage({ type: 'callback', query: search.slice(1) } satisfies OAuthMessage);
  channel.close();
}

async function logIn(server: RemoteServer<LoginTestServer>, name = 'Log in…'): Promise<void> {
  await serverLine.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in to weather' });
  await agreeIn(server, () => dialog.getByRole('button', { name: 'Continue to localhost' }).click());
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(serverLine).toContainText('Connected');
}

/** Sends a message that the model answers with a call of the server’s tool. Returns the result that the model gets. */
async function ask(studio: StudioPage, city: string, turns = 1): Promise<unknown> {
  const question = await askForWeather(studio, city);
  await studio.allowOnce.click();
  await studio.settled(turns);
  return resultOf(question);
}

test('a login that has expired is renewed, also after a reload', async ({ studio, server }) => {
  await server.call('limitTokens', 1);
  await openAndAdd(studio, server);
  await logIn(server);
  await server.call('limitTokens', undefined);
  await studio.reopen();
  expect(await ask(studio, 'Lima')).toBe('It rains in Lima.');
  await expect.poll(() => server.get('grants')).toContain('refresh_token');
  expect(await server.get('replays')).toBe(0);
});

test('a login that has ended says so, runs nothing, and is replaced by another', async ({ studio, server }) => {
  await openAndAdd(studio, server);
  await logIn(server);
  await keyboard.press('Escape');
  await server.call('revokeAll');
  expect(await ask(studio, 'Lima')).toMatch(/Not run\. .*log in.*Settings › Tools › Servers/);
  expect(await server.get('calls')).toEqual([]);
  await studio.openSettings('Tools');
  await expect.element(serverLine.getByRole('alert')).toContainText('Your login to this server is no longer valid.');
  await logIn(server, 'Log in again…');
  await keyboard.press('Escape');
  expect(await ask(studio, 'Oslo', 2)).toBe('It rains in Oslo.');
});

test('a person logs out, and the server knows them no more', async ({ studio, server }) => {
  await openAndAdd(studio, server);
  await logIn(server);
  await page.getByRole('button', { name: 'Edit weather' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tool server weather' });
  await expect.element(dialog).toContainText('Logged in at localhost');
  await dialog.getByRole('button', { name: 'Log out' }).click();
  await expect.element(dialog).not.toContainText('Logged in at');
  await keyboard.press('Escape');
  await expect.element(serverLine.getByRole('alert')).toContainText('This server requires you to log in.');
  await expect.poll(() => server.get('revocations')).toBeGreaterThan(1);
  await studio.reopen();
  await studio.openSettings('Tools');
  await expect.element(serverLine.getByRole('button', { name: 'Log in…' })).toBeVisible();
});

describe('in Chinese', () => {
  test('a person logs in', async ({ studio, server }) => {
    await studio.open();
    await (await studio.studio()).settings.change({ locale: 'zh-CN' });
    await page.getByRole('button', { name: '设置', exact: true }).first().click();
    await page.getByRole('tab', { name: '工具', exact: true }).click();
    await page.getByRole('button', { name: '添加服务器…' }).click();
    const dialog = page.getByRole('dialog', { name: '添加工具服务器' });
    await dialog.getByRole('textbox', { name: '地址' }).fill(await server.get('url'));
    await dialog.getByRole('textbox', { name: '名称', exact: true }).fill('weather');
    await dialog.getByRole('button', { name: '添加', exact: true }).click();
    await page.getByRole('button', { name: '登录…' }).click();
    await agreeIn(server, () => page.getByRole('button', { name: '前往 localhost' }).click());
    await expect.element(page.getByRole('list', { name: '工具服务器' })).toContainText('已连接');
  });
});
