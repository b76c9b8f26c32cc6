import { expect, test } from './lib/fixtures.ts';

test('the settings say the version, and link to the license', async ({ studio, page }) => {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.openSettings('About');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByText('0.1.0')).toBeVisible();
  const [license] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Apache 2.0' }).click(),
  ]);
  await expect(license.getByText('Apache License').first()).toBeVisible();
});
