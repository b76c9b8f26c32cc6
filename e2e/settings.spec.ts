import { expect, test } from './lib/fixtures.ts';

test('sections are listed at the side, and work by keyboard', async ({ studio, page }) => {
  await studio.open();
  await studio.openSettings('General');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByRole('tab')).toHaveText([
    ...['General', 'Models', 'Permissions', 'Tools', 'Editor', 'Shortcuts', 'Data', 'About'],
  ]);
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('tab', { name: 'Models' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Connect a model…' })).toBeVisible();
  await dialog.getByRole('tab', { name: 'About' }).click();
  await expect(dialog.getByText('0.1.0')).toBeVisible();
  const [license] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Apache 2.0' }).click(),
  ]);
  await expect(license.getByText('Apache License').first()).toBeVisible();
});

test('shortcuts are found, changed, refused if used, removed, and reset', async ({ studio, page }) => {
  await studio.open();
  await page.getByRole('main').click();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('searchbox', { name: 'Search shortcuts' }).fill('palette');
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  const change = dialog.getByRole('button', { name: 'Change the keys of “Command palette”' });
  await change.click();
  await page.keyboard.press('Control+b');
  await expect(dialog.getByRole('alert')).toContainText('Ctrl+B is already used for “Show or hide threads”');
  // It still listens. Esc ends that, and not the settings.
  await page.keyboard.press('Control+Shift+y');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByRole('listitem')).toContainText('CtrlShiftY');
  await change.click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expect(change).toHaveText('Change');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(studio.message).toBeVisible();
  await page.keyboard.press('Control+Shift+y');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await page.keyboard.press('Escape');
  await studio.openSettings('Shortcuts');
  await dialog.getByRole('button', { name: 'Reset the keys of “Command palette”' }).click();
  await dialog.getByRole('button', { name: 'Remove the keys of “Show or hide threads”' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+b');
  await expect(studio.threads).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
});

test('the palette finds settings, texts in files, and shows keys', async ({ studio, page }) => {
  await studio.open({ files: { '/deep/poem.txt': 'one\nthe raven sat\n' } });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('option', { name: /Show or hide the workspace/ })).toContainText('J');
  await palette.getByRole('combobox').fill('raven');
  await palette.getByRole('option', { name: /the raven sat/ }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('the raven sat', { timeout: 20_000 });
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('permissions');
  await palette.getByRole('option', { name: 'Permissions' }).click();
  await expect(page.getByRole('tab', { name: 'Permissions', selected: true })).toBeVisible();
});

test('what new threads begin with follows the settings at once', async ({ studio, page }) => {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await page.getByRole('switch', { name: 'Browser' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Tools: Files', exact: true })).toBeVisible();
});
