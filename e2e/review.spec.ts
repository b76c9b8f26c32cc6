import { BEFORE, changeCall, changed, PATH } from '#components/review/test/values.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

test('a review can be finished in another tab', async ({ studio, bench, page, context }) => {
  const question = prompt('Change the values');
  bench.model.script(question, [{ calls: changeCall }, { text: 'All right.' }]);
  await studio.open({ files: { [PATH]: BEFORE }, settings: { defaultModel: 'scripted' } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  await studio.call('multi_edit').getByRole('button', { name: 'Review changes…' }).click();
  await page.getByRole('button', { name: 'Reject change 1' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await other
    .getByRole('group', { name: 'Tool call: multi_edit', exact: true })
    .getByRole('button', { name: 'Continue review…' })
    .click();
  // The editor is loaded a second time.
  await expect(other.getByRole('button', { name: 'Keep change 1' })).toBeVisible({ timeout: 40_000 });
  await other
    .getByRole('region', { name: `Review: ${PATH}` })
    .getByRole('button', { name: 'Write these changes' })
    .click();
  await expect(other.getByText('All right.')).toBeVisible();
  expect((await studio.workspace()).get(PATH)).toBe(changed(10, 20));
});
