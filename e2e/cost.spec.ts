import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './lib/fixtures.ts';
import { ScriptedModelServer } from './lib/model-server.ts';

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
  await page.keyboard.press('Enter');
  // An output without a price is not free.
  await expect(dialog.getByRole('alert')).toContainText('Enter an amount in dollars in each field');
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

test('prices of the list hold for long prompts, for a form that is saved unchanged, and for a model that has gone', async ({
  studio,
  startBench,
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'));
  const file = join(folder, 'models.yaml');
  const model = await ScriptedModelServer.start();
  const other = `{ id: other, provider: local, model: other, baseURL: "${model.url}" }`;
  const listed = `{ provider: openai, model: gpt-5.4, baseURL: "${model.url}" }`;
  writeFileSync(file, `models:\n  - ${listed}\n  - ${other}\n`);
  const bench = await startBench({ MODELS_FILE: file });
  model.script('First', [{ text: 'One.', usage: { prompt_tokens: 300_000, completion_tokens: 1_000 } }]);
  await page.goto(bench.url);
  await studio.choose('Model', 'gpt-5.4');
  await studio.say('First');
  await studio.settled(1);
  const thread = page.getByTitle('The cost of this thread, including all versions of its answers');
  // Above 272,000 tokens: 300,000 × 5 + 1,000 × 22.50, for a million.
  await expect(thread).toHaveText('$1.52');
  await studio.answers.first().hover();
  await studio.answers
    .first()
    .getByRole('button', { name: /tokens/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Cost of this answer' });
  await dialog.getByRole('textbox', { name: 'Input, $ per million tokens' }).press('Enter');
  await expect(dialog).toContainText('From the list');
  await page.keyboard.press('Escape');
  await expect(thread).toHaveText('$1.52');
  writeFileSync(file, `models:\n  - ${other}\n`);
  await bench.restartStudio();
  await page.reload();
  await expect(thread).toHaveText('$1.52');
  await model.stop();
  rmSync(folder, { recursive: true });
});
