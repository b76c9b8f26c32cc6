import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';

describe('inspector', () => {
  for (const mode of ['native', 'prompted'] as const) {
    test(`shows the prompt as the model received it, verified by its hash (${mode})`, async ({ studio }) => {
      const question = prompt('Compute');
      await model.script(question, [
        {
          calls: evalCall('6*7'),
          prompted:
            '{"tool_calls":[{"id":"1","type":"function","function":{"name":"browser_js_eval","arguments":"{\\"code\\":\\"6*7\\"}"}}]}',
        },
        { text: 'It is 42.', prompted: 'It is 42.' },
      ]);
      await studio.open({ toolCalling: mode });
      await studio.say(question);
      await studio.allow.click();
      await studio.settled();
      await studio.chooseAction('View prompt');
      const dialog = page.getByRole('dialog');
      await expect.element(dialog.getByText('Its hash matches the one stored')).toBeVisible();
      await dialog.getByRole('combobox', { name: 'Step 1' }).click();
      await page.getByRole('option', { name: 'Step 2' }).click();
      await expect.element(dialog.getByText('Its hash matches the one stored')).toBeVisible();
      const list = dialog.getByRole('list', { name: 'Prompt' });
      await expect.element(list).toContainText(question);
      await expect.element(list).toContainText(mode === 'native' ? '← browser_js_eval: 42' : '[tool_result');
    });
  }
});
