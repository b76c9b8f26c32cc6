import { expect, test } from './lib/fixtures.ts';

test('an answer can be tried again with another model, as another version', async ({ studio, bench, page }) => {
  bench.model.script('Who?', [[{ text: 'Answer one.' }, { text: 'Answer two.' }]]);
  await studio.open();
  await studio.say('Who?');
  await studio.settled(1);
  await studio.answers.last().hover();
  await page.getByRole('button', { name: 'Try again with another model' }).click();
  await page.getByRole('option', { name: /^no-tools/ }).click();
  await expect(studio.answers.last()).toContainText('Answer two.');
  await studio.settled(2);
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveText('no-tools');
  expect((await studio.turns()).at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'step', model: 'no-tools' }),
  );
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect(studio.answers.last()).toContainText('Answer one.');
});

test('while the provider’s rate limit is waited for, one can try now or use another model', async ({
  studio,
  page,
  startBench,
}) => {
  const bench = await startBench({ AGENT_MAX_RETRIES: '2' });
  const limited = { status: 429, message: 'slow down', headers: { 'retry-after': '50' } };
  bench.model.script('Now', [[limited, { text: 'It went through.' }]]);
  bench.model.script('Other', [[limited, { text: 'The other one answered.' }]]);
  await page.goto(bench.url);
  await studio.choose('Model', 'scripted');
  await studio.say('Now');
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(studio.answers.last()).toContainText('It went through.');
  await studio.say('Other');
  await page.getByRole('button', { name: 'Use another model' }).click();
  await page.getByRole('option', { name: /^no-tools/ }).click();
  await expect(studio.answers.last()).toContainText('The other one answered.');
  studio.expectedProblems.push('429');
});
