import { expect, test } from './lib/fixtures.ts';

test('what answers cost is unknown until the model has a price, which the person can enter', async ({
  studio,
  bench,
  page,
}) => {
  bench.model.script('First', [{ text: 'One.', usage: { prompt_tokens: 120_000, completion_tokens: 2_000 } }]);
  bench.model.script('Second', [{ text: 'Two.', usage: { prompt_tokens: 130_000, completion_tokens: 3_000 } }]);
  await studio.open();
  await studio.say('First');
  await studio.settled(1);
  await studio.answers.first().hover();
  const cost = studio.answers.first().getByRole('button', { name: /tokens/ });
  await expect(cost).toHaveText('122K tokens');
  await cost.click();
  const dialog = page.getByRole('dialog', { name: 'Cost of this answer' });
  await expect(dialog).toContainText('Unknown');
  await dialog.getByRole('textbox', { name: 'Input, $ per million tokens' }).fill('2.5');
  await dialog.getByRole('textbox', { name: 'Output, $ per million tokens' }).fill('cheap');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Enter an amount in dollars in each field');
  await dialog.getByRole('textbox', { name: 'Output, $ per million tokens' }).fill('10');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  // 120,000 × 2.50 + 2,000 × 10, for a million.
  await expect(dialog.getByText('$0.32')).toBeVisible();
  await expect(dialog).toContainText('Entered by you');
  await page.keyboard.press('Escape');
  await expect(cost).toHaveText('122K tokens · $0.32');
  await studio.say('Second');
  await studio.settled(2);
  // And 130,000 × 2.50 + 3,000 × 10.
  await expect(page.getByTitle('The cost of this thread, including all versions of its answers')).toHaveText('$0.68');
  await page.reload();
  await expect(page.getByTitle('The cost of this thread, including all versions of its answers')).toHaveText('$0.68');
});
