import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const costOfThread = page.getByTitle('Cost of this thread, including all versions of its answers');
const dialog = page.getByRole('dialog', { name: 'Cost of this answer' });

test('what answers cost is unknown until the model has a price, which the person can enter', async ({ studio }) => {
  const [first, second] = [prompt('First'), prompt('Second')];
  await model.script(first, [{ text: 'One.', usage: { prompt_tokens: 120_000, completion_tokens: 2_000 } }]);
  await model.script(second, [{ text: 'Two.', usage: { prompt_tokens: 130_000, completion_tokens: 3_000 } }]);
  await studio.open();
  await studio.say(first);
  await studio.settled(1);
  await studio.answers.first().hover();
  const cost = studio.answers.first().getByRole('button', { name: /tokens/ });
  await expect.element(cost).toHaveText('122K tokens');
  await cost.click();
  await expect.element(dialog).toContainText('Unknown');
  await dialog.getByRole('textbox', { name: 'Input, $ per million tokens' }).fill('2.5');
  await keyboard.press('Enter');
  // An output without a price is not free.
  await expect.element(dialog.getByRole('alert')).toContainText('Enter an amount in dollars in each field');
  await dialog.getByRole('textbox', { name: 'Output, $ per million tokens' }).fill('cheap');
  await keyboard.press('Enter');
  await expect.element(dialog.getByRole('alert')).toContainText('Enter an amount in dollars in each field');
  await dialog.getByRole('textbox', { name: 'Output, $ per million tokens' }).fill('10');
  await keyboard.press('Enter');
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  // 120,000 × 2.50 + 2,000 × 10, for a million.
  await expect.element(dialog.getByText('$0.32')).toBeVisible();
  await expect.element(dialog).toContainText('Entered by you');
  await keyboard.press('Escape');
  await expect.element(cost).toHaveText('122K tokens · $0.32');
  await studio.say(second);
  await studio.settled(2);
  // And 130,000 × 2.50 + 3,000 × 10.
  await expect.element(costOfThread).toHaveText('$0.68');
  await studio.reopen();
  await expect.element(costOfThread).toHaveText('$0.68');
});

test('prices of the list hold for long prompts, for a form that is saved unchanged, and for a model that has gone', async ({
  studio,
}) => {
  await using provider = await startServer('model');
  const other = `{ id: other, provider: local, model: other, baseURL: "${await provider.get('url')}" }`;
  const listed = `{ provider: openai, model: gpt-5.4, baseURL: "${await provider.get('url')}" }`;
  await provider.call('script', 'First', [
    { text: 'One.', usage: { prompt_tokens: 300_000, completion_tokens: 1_000 } },
  ]);
  await using server = await startServer('studio', { models: `models:\n  - ${listed}\n  - ${other}\n` });
  await studio.open({ server, settings: {} });
  await studio.choose('Model', 'gpt-5.4');
  await studio.say('First');
  await studio.settled(1);
  // Above 272,000 tokens: 300,000 × 5 + 1,000 × 22.50, for a million.
  await expect.element(costOfThread).toHaveText('$1.52');
  await studio.answers.first().hover();
  await studio.answers
    .first()
    .getByRole('button', { name: /tokens/ })
    .click();
  await press(dialog.getByRole('textbox', { name: 'Input, $ per million tokens' }), 'Enter');
  await expect.element(dialog).toContainText('From the price list');
  await keyboard.press('Escape');
  await expect.element(costOfThread).toHaveText('$1.52');
  await server.stop();
  await using without = await startServer('studio', { models: `models:\n  - ${other}\n` });
  await studio.reopen({ server: without });
  await expect.element(costOfThread).toHaveText('$1.52');
});
