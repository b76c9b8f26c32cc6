import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { askForCall } from '#components/test/one-call.ts';
import { type RemoteServer, startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test as base } from '#components/test/studio-test.ts';
import type { McpTestServer } from '#e2e/lib/mcp-server.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import { putToUse } from '#studio/sources/put-to-use.ts';

/** Tests with a tool server of their own. */
export const test = base.extend<{ server: RemoteServer<McpTestServer> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  server: async ({}, use) => {
    const server = await startServer('tool server');
    await use(server);
    await server.stop();
  },
});

/** The row of the only tool server in the settings. */
export const serverLine = page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem');

/** Adds a server in the settings, under this name. */
export async function addServer(studio: StudioPage, url: string, name = 'weather'): Promise<void> {
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
}

/** Waits in the settings until the server is connected, then closes them. */
export async function connected(): Promise<void> {
  await expect.element(serverLine).toContainText('Connected');
  await keyboard.press('Escape');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}

/** Adds a tool server without the settings' dialogs, and connects to it. */
export async function connectServer(
  studio: StudioPage,
  server: RemoteServer<{ url: string }>,
  name = 'weather',
): Promise<void> {
  const opened = await studio.studio();
  const { servers } = (await opened.tools.load()).sources;
  await servers.add({ name, url: await server.get('url') }, {});
  putToUse(opened, [toolsetOf(TOOL_SERVER, name)]);
  await servers.connect(name);
  expect(servers.state.getState()).toMatchObject([{ status: 'ready' }]);
}

/** Opens the studio with a tool server that is connected. */
export async function openWith(
  studio: StudioPage,
  ...server: [server: RemoteServer<{ url: string }>, name?: string]
): Promise<void> {
  await studio.open();
  await connectServer(studio, ...server);
}

/** Asks for the weather in a city, which the model answers with a call of the server’s tool. Does not wait for it. */
export const askForWeather = (studio: StudioPage, city: string): Promise<string> =>
  askForCall(studio, 'weather_forecast', { city });
