import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { type RemoteServer, startServer } from '#components/test/servers.ts';
import type { StudioServer } from '#components/test/studio-server.ts';
import { test as base } from '#components/test/studio-test.ts';
import type { ScriptedModelServer } from '#e2e/lib/model-server.ts';

/** The key that a test connects with. */
export const KEY = 'sk-canary-0123456789abcdef';

/** The dialog that connects a model, and its fields. */
export const connectDialog = page.getByRole('dialog', { name: 'Connect a model' });
export const addressField = page.getByRole('textbox', { name: 'API key or address' });
export const keyField = page.getByRole('textbox', { name: 'API key, if the server needs one' });

export const modelPicker = page.getByRole('combobox', { name: 'Model', exact: true });

interface Servers {
  /** A studio's server without any model but the demo. */
  emptyServer: RemoteServer<StudioServer>;
  /** A model server that the studio does not know. */
  provider: RemoteServer<ScriptedModelServer>;
}

export const test = base.extend<Servers>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  emptyServer: async ({}, use) => {
    await using server = await startServer('studio', { models: 'models: []' });
    await use(server);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  provider: async ({}, use) => {
    await using server = await startServer('model');
    await use(server);
  },
});

/** Opens the dialog that connects a model. */
export async function openConnectDialog(): Promise<void> {
  await page.getByRole('button', { name: 'Connect a model…' }).first().click();
}

/** Connects a model server with a key, from the settings or an empty thread. */
export async function connect(url: string, key = KEY): Promise<void> {
  await openConnectDialog();
  await addressField.fill(url);
  await keyField.fill(key);
  await connectDialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect.element(connectDialog).not.toBeInTheDocument();
}
