import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';

const dialog = page.getByRole('dialog', { name: 'Settings' });
const palette = page.getByRole('dialog', { name: 'Command palette' });

test('sections are listed at the side, and work by keyboard', async ({ studio }) => {
  await studio.open();
  await studio.openSettings('General');
  const tabs = dialog.getByRole('tab');
  await expect
    .poll(() => tabs.elements().map((tab) => tab.textContent))
    .toEqual(['General', 'Models', 'Permissions', 'Tools', 'Editor', 'Shortcuts', 'Data', 'About']);
  await keyboard.press('ArrowDown');
  await expect.element(dialog.getByRole('tab', { name: 'Models' })).toHaveFocus();
  await expect.element(dialog.getByRole('button', { name: 'Connect a model…' })).toBeVisible();
});

test('shortcuts are found, changed, refused if used, removed, and reset', async ({ studio }) => {
  await studio.open();
  await page.getByRole('main').click();
  await keyboard.press('?');
  await dialog.getByRole('searchbox', { name: 'Search shortcuts' }).fill('palette');
  await expect.element(dialog.getByRole('listitem')).toHaveLength(1);
  const change = dialog.getByRole('button', { name: 'Change the shortcut for “Command palette”' });
  await change.click();
  await keyboard.press('Control+b');
  await expect.element(dialog.getByRole('alert')).toContainText('Ctrl+B is already used for “Show or hide threads”');
  // It still listens. Esc ends that, and not the settings.
  await keyboard.press('Control+Shift+y');
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('listitem')).toContainText('CtrlShiftY');
  await change.click();
  await keyboard.press('Escape');
  await expect.element(dialog).toBeVisible();
  await expect.element(change).toHaveText('Change');
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await studio.reopen();
  await keyboard.press('Control+Shift+y');
  await expect.element(palette).toBeVisible();
  await keyboard.press('Escape');
  await studio.openSettings('Shortcuts');
  await dialog.getByRole('button', { name: 'Reset the shortcut for “Command palette”' }).click();
  await dialog.getByRole('button', { name: 'Remove the shortcut for “Show or hide threads”' }).click();
  await keyboard.press('Escape');
  await keyboard.press('Control+b');
  await expect.element(studio.threads).toBeVisible();
  await keyboard.press('Control+k');
  await expect.element(palette).toBeVisible();
});

test('the palette finds settings, texts in files, and shows keys', async ({ studio }) => {
  await studio.open({ files: { '/deep/poem.txt': 'one\nthe raven sat\n' } });
  await keyboard.press('Control+k');
  await expect.element(palette.getByRole('option', { name: /Show or hide the workspace/ })).toContainText('J');
  await palette.getByRole('combobox').fill('raven');
  await palette.getByRole('option', { name: /the raven sat/ }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('the raven sat');
  await keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('permissions');
  await palette.getByRole('option', { name: 'Permissions' }).click();
  await expect.element(page.getByRole('tab', { name: 'Permissions', selected: true })).toBeVisible();
});

test('what new threads begin with follows the settings at once', async ({ studio }) => {
  await studio.open();
  await studio.openSettings('Tools');
  await page.getByRole('switch', { name: 'Browser' }).click();
  await keyboard.press('Escape');
  await expect.element(page.getByRole('button', { name: 'Tools: Files', exact: true })).toBeVisible();
});
