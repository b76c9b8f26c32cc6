import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt } from './lib/prompt.ts';
import { openSettings } from './lib/studio-page.ts';

test('what was allowed always asks again once that is revoked in another tab', async ({
  studio,
  bench,

  context,
}) => {
  const question = prompt('Compute');
  bench.model.script(question, [{ calls: evalCall('1') }, { text: 'Done.' }]);
  await studio.open({ settings: { permissions: { browser: { execute: 'allow' } }, defaultModel: 'scripted' } });
  const other = await context.newPage();
  await other.goto('/');
  await openSettings(other, 'Permissions');
  const grants = other.getByRole('list', { name: 'Approvals' }).getByRole('listitem');
  await expect(grants).toHaveCount(1);
  await other.getByRole('combobox', { name: 'Browser: Run code' }).click();
  await other.getByRole('option', { name: 'Ask' }).click();
  await expect(grants).toHaveCount(0);
  await studio.say(question);
  await expect(studio.allowOnce).toBeVisible();
});
