import { expect, type Page } from '@playwright/test';
import type { TestBench } from './bench.ts';

/** The key that a test connects with. */
export const KEY = 'sk-canary-0123456789abcdef';

/** A studio without any model but the demo, and a model server that it does not know. */
export const EMPTY = { MODELS_FILE: 'no-such-file.yaml' };

/** The dialog that connects a model, and its first field. */
export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect a model' });
export const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'API key or address' });

/** Connects the bench's model server with a key, from the settings. */
export async function connect(page: Page, bench: TestBench, key = KEY): Promise<void> {
  await page.getByRole('button', { name: 'Connect a model…' }).first().click();
  await fieldOf(page).fill(bench.model.url);
  await page.getByRole('textbox', { name: 'API key, if the server needs one' }).fill(key);
  await dialogOf(page).getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialogOf(page)).toBeHidden();
}
