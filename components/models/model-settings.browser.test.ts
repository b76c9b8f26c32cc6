import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { chooseFiles, downloadOf, keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { test } from './test/connect-dialog.ts';
import { examine, modelDialog, openConnected } from './test/model-dialog.ts';

describe('the settings of a model', () => {
  test('say who decides, let the person choose, and go into a backup', async ({ studio }) => {
    const question = prompt('Natively?');
    await model.script(question, [{ text: 'Yes.' }]);
    await studio.open({ model: 'raw' });
    await studio.expectToolCalling('Auto (native)');
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog', { name: 'Model settings: raw' });
    // The operator has decided.
    await expect.element(dialog).toContainText('JSON with raw blocks (models.yaml)');
    await expect.element(dialog).toContainText('32,000 (models.yaml)');
    await expect
      .element(dialog.getByRole('combobox', { name: 'Format of prompted tool calls' }))
      .not.toBeInTheDocument();
    // The person decides.
    await studio.choose('Tool descriptions', 'Brief');
    await dialog.getByRole('combobox', { name: 'Tool calling' }).click();
    await page.getByRole('option', { name: 'Prompted' }).click();
    const temperature = dialog.getByRole('textbox', { name: 'Temperature (0 to 2)' });
    await temperature.fill('3');
    await expect.element(dialog.getByRole('alert')).toHaveText('Not saved. Enter a number from 0 to 2.');
    await temperature.fill('0,4');
    await press(temperature, 'Enter');
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
    await keyboard.press('Escape');
    await studio.expectToolCalling('Auto (prompted)');
    await studio.openTools();
    await page.getByRole('combobox', { name: 'Tool calling', exact: true }).click();
    await expect.element(page.getByRole('option', { name: /^Auto/ })).toContainText('Your choice for this model');
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await studio.say(question);
    await studio.settled(1);
    const [request] = await model.requestsFor(question);
    expect(request).not.toHaveProperty('tools');
    expect(request?.temperature).toBe(0.4);
    const [step] = (await studio.turns())[0]?.parts ?? [];
    expect(step).toMatchObject({ settings: { toolCalling: 'prompted', protocol: { codec: 'raw', compact: true } } });

    // It is kept, and comes with a backup.
    await studio.openSettings('Data');
    const backup = await downloadOf(() => page.getByRole('button', { name: 'Save a backup' }).click());
    await studio.open({ model: 'raw' });
    await studio.expectToolCalling('Auto (native)');
    await studio.openSettings('Data');
    const file = { name: backup.name, content: await backup.blob.bytes() };
    await chooseFiles([file], () => page.getByRole('button', { name: 'Restore a backup' }).click());
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect.element(page.getByText('Restored 1 thread')).toBeVisible();
    await keyboard.press('Escape');
    await studio.expectToolCalling('Auto (prompted)');
  });

  test('take numbers as people write them, and say what they overrule', async ({ studio }) => {
    await using server = await startServer('defective model', 'drops tools');
    await openConnected(studio, await server.get('url'));
    await examine(studio);
    await expect.element(modelDialog).toContainText('These recommendations aren’t in use yet.');
    await modelDialog.getByRole('button', { name: 'Keep my settings' }).click();
    await expect.element(modelDialog).toContainText('You kept your settings.');
    await modelDialog.getByRole('combobox', { name: 'Tool calling' }).click();
    await page.getByRole('option', { name: 'Native', exact: true }).click();
    await modelDialog.getByRole('button', { name: 'Use recommendations' }).click();
    await expect.element(modelDialog).toContainText('except where the settings below override them: Tool calling.');
    const tokens = modelDialog.getByRole('textbox', { name: 'Context window, in tokens' });
    const alert = modelDialog.getByRole('alert');
    for (const wrong of ['-5', '1e6', '99999999999', 'many']) {
      await tokens.fill(wrong);
      await expect.element(alert).toContainText('Not saved.');
    }
    // Three digits may be the beginning of more, until the field is left.
    await tokens.fill('12');
    await expect.element(alert).not.toBeInTheDocument();
    await press(tokens, 'Tab');
    await expect.element(alert).toContainText('Not saved.');
    await tokens.fill('128,000');
    await expect.element(alert).not.toBeInTheDocument();
    // Escape closes the dialog without losing what was typed.
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await studio.choose('Tool calling', 'Model settings');
    await expect.element(tokens).toHaveValue('128000');
  });

  test('fit into the window, however long a name and an error are', async ({ studio }) => {
    await using server = await startServer('fixed', [
      { path: '/models', body: { data: [{ id: 'x'.repeat(200) }] } },
      { status: 400, body: { error: { message: 'y'.repeat(2_000) } } },
    ]);
    await openConnected(studio, `${await server.get('url')}/v1`);
    await studio.choose('Model', 'xxx');
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run check', exact: true }).click();
    await expect.element(dialog).toContainText('yyy');
    for (const width of [1_280, 390]) {
      await page.viewport(width, 800);
      for (const control of [
        dialog.getByRole('button', { name: 'Close' }),
        dialog.getByRole('combobox', { name: 'Tool calling' }),
        dialog.getByRole('textbox', { name: 'Temperature (0 to 2)' }),
      ]) {
        (await control.findElement()).scrollIntoView({ block: 'center' });
        await expect.element(control).toBeInViewport({ ratio: 1 });
      }
      const { scrollWidth, clientWidth } = await dialog.findElement();
      expect(scrollWidth - clientWidth, `what sticks out at a width of ${width} pixels`).toBeLessThanOrEqual(1);
    }
  });

  test('are offered when native tools do not work, until the model was examined', async ({ studio }) => {
    const question = prompt('Tools?');
    await model.script(question, [{ text: 'None.' }]);
    // A server remembers which model refused tools, so other tests must not have used it.
    await using server = await startServer('studio');
    await studio.open({ server, model: 'no-tools' });
    await studio.say(question);
    await studio.settled(1);
    await page.getByRole('button', { name: 'Check this model…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Model settings: no-tools' });
    await dialog.getByRole('button', { name: 'Run check', exact: true }).click();
    await expect.element(dialog.getByRole('button', { name: 'Run check again' })).toBeVisible();
    await expect.element(dialog).toContainText('This model can’t be used right now');
    await keyboard.press('Escape');
    await expect.element(studio.answers.last()).toContainText('doesn’t support native tool calling');
    await expect.element(page.getByRole('button', { name: 'Check this model…' })).not.toBeInTheDocument();
  });
});
