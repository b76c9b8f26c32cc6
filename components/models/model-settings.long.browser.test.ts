import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { startServer } from '#components/test/servers.ts';
import { modelsFile } from '#e2e/lib/models-file.ts';
import { test } from './test/connect-dialog.ts';
import { examine, modelDialog, openConnected } from './test/model-dialog.ts';

describe('the settings of a model', () => {
  test('stay as they are when the model is examined again, until the person decides', async ({ studio }) => {
    await using server = await startServer('defective model', 'drops tools');
    await openConnected(studio, await server.get('url'));
    await examine(studio);
    const expectBehindDialog = async (text: string) => {
      await keyboard.press('Escape');
      await studio.expectToolCalling(text);
      await studio.choose('Tool calling', 'Model settings');
    };
    await modelDialog.getByRole('button', { name: 'Use recommendations' }).click();
    await expectBehindDialog('Auto (prompted)');
    // Now it works.
    await server.set('defect', 'none');
    await modelDialog.getByRole('button', { name: 'Run check again' }).click();
    await expect.element(modelDialog).toContainText('Recommended: native tools');
    await expect.element(modelDialog).toContainText('The studio still uses recommendations from an earlier check.');
    await expectBehindDialog('Auto (prompted)');
    await modelDialog.getByRole('button', { name: 'Use recommendations' }).click();
    await expectBehindDialog('Auto (native)');
    // And now it fails, which is no reason to forget what is known.
    await server.set('defect', 'error with status 200');
    await modelDialog.getByRole('button', { name: 'Run check again' }).click();
    await expect.element(modelDialog).toContainText('This model can’t be used right now');
    await expect.element(modelDialog).toContainText('Recommended: native tools');
    await expect.element(modelDialog).toContainText('The studio uses these recommendations.');
  });

  test('stay as they are if an examination is stopped, or the server is gone', async ({ studio, provider }) => {
    await provider.call('script', 'Good morning.', [{ text: 'Good morning.', hold: { after: 0, gate: 'morning' } }]);
    await using server = await startServer('studio', { models: modelsFile(await provider.get('url')) });
    await studio.open({ server });
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog', { name: 'Model settings: scripted' });
    const start = dialog.getByRole('button', { name: 'Run check', exact: true });
    await start.click();
    await expect.element(dialog.getByRole('status')).toContainText('Do the tools reach the model?');
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveText('The check was stopped.');
    await expect.poll(() => provider.get('aborted')).toBe(1);
    await start.click();
    await expect.element(dialog.getByRole('status')).toContainText('Do the tools reach the model?');
    await server.stop();
    await expect.element(dialog.getByRole('alert')).toContainText('The check didn’t finish.');
    await expect.element(start).toBeVisible();
  });
});
