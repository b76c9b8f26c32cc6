import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { addressField, connectDialog } from './connect-dialog.ts';

/** The settings dialog of `able`, the model that defective servers have. */
export const modelDialog = page.getByRole('dialog', { name: 'Model settings: able' });

/** Runs a command of the command palette. */
async function runCommand(name: string): Promise<void> {
  await keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill(name);
  await keyboard.press('Enter');
}

/** Opens the studio, and connects a model server. */
export async function openConnected(
  studio: StudioPage,
  url: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await studio.open({ files, settings: {} });
  await runCommand('connect');
  await addressField.fill(url);
  await keyboard.press('Enter');
  await expect.element(connectDialog).not.toBeInTheDocument();
}

/** Examines the model that defective servers have, and waits for the report. `measuresWindow`: also its context window. */
export async function examine(studio: StudioPage, { measuresWindow = false } = {}): Promise<void> {
  await studio.choose('Model', 'able');
  await runCommand('model settings');
  if (measuresWindow) await modelDialog.getByRole('checkbox', { name: /measure the context window/ }).click();
  await modelDialog.getByRole('button', { name: 'Run check', exact: true }).click();
  await expect.element(modelDialog.getByRole('button', { name: 'Run check again' })).toBeVisible();
}
