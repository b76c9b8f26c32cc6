import { page } from 'vitest/browser';
import { type ChosenFile, chooseFiles } from '#components/test/browser.ts';

/** Selects files through the workspace's menu. */
export async function importFiles(files: readonly ChosenFile[]): Promise<void> {
  await page.getByRole('button', { name: /^Workspace: / }).click();
  await chooseFiles(files, () => page.getByRole('menuitem', { name: 'Import files or a zip…' }).click());
}
