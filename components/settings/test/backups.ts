import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { downloadOf, keyboard } from '#components/test/browser.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';

/** Saves a backup in the settings, closes them, and returns the file. */
export async function saveBackup(studio: StudioPage): Promise<File> {
  await studio.openSettings('Data');
  const { name, blob } = await downloadOf(() => page.getByRole('button', { name: 'Save a backup' }).click());
  await keyboard.press('Escape');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  return new File([blob], name);
}

/** Restores a backup in the settings, waits until they show the text `says`, and closes them. */
export async function restoreBackup(studio: StudioPage, backup: File, says: string): Promise<void> {
  await studio.openSettings('Data');
  await page.getByLabelText('Restore a backup').upload(backup);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.element(page.getByText(says)).toBeVisible();
  await keyboard.press('Escape');
}
