import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { test as base } from '#components/sources/servers/test/tool-servers.ts';
import { keyboard } from '#components/test/browser.ts';
import { type RemoteServer, startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import type { KeyedApi } from '#e2e/lib/keyed-api.ts';

/** The key of the API. */
export const KEY = 'ghp_0123456789abcdef';

/** Tests with an HTTP API that wants a key. */
export const test = base.extend<{ api: RemoteServer<KeyedApi> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  api: async ({}, use) => {
    const api = await startServer('HTTP API', KEY);
    await use(api);
    await api.stop();
  },
});

/** The entries in the list of HTTP APIs. */
export const line = page.getByRole('list', { name: 'HTTP APIs' }).getByRole('listitem');

/** Adds an API by its description. */
export async function add(studio: StudioPage, description: string): Promise<void> {
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add API…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an HTTP API' });
  await dialog.getByRole('textbox', { name: 'Description (YAML)' }).fill(description);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'token' }).fill(KEY);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(line).toContainText('2 tools, about');
  await keyboard.press('Escape');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}
