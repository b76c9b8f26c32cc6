import { expect, test } from './lib/fixtures.ts';
import { openSettings } from './lib/studio-page.ts';

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

test('a thread has its own model parameters; the others keep the defaults', async ({ studio, bench, page }) => {
  for (const prompt of ['With', 'Without']) bench.model.script(prompt, [{ text: 'Fine.' }]);
  await studio.open();
  await page.getByRole('button', { name: 'Thread options' }).click();
  await page.getByRole('menuitem', { name: 'Model parameters…' }).click();
  const temperature = page.getByRole('textbox', { name: 'Temperature (0 to 2)' });
  await expect(temperature).toHaveAttribute('placeholder', 'Default: the provider’s');
  await temperature.fill('3');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
    'The temperature must be a number from 0 to 2.',
  );
  await temperature.fill('0.3');
  await page.getByRole('textbox', { name: 'Maximum output tokens' }).fill('500');
  await studio.choose('Reasoning effort', 'High');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await studio.say('With');
  await studio.settled(1);
  expect(bench.model.requestsFor('With')).toMatchObject([
    { temperature: 0.3, max_tokens: 500, reasoning_effort: 'high' },
  ]);
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await studio.say('Without');
  await expect(studio.answers.last()).toContainText('Fine.');
  const [plain] = bench.model.requestsFor('Without');
  expect([plain?.temperature, plain?.max_tokens, plain?.reasoning_effort]).toEqual([undefined, undefined, undefined]);
});

test('a model names new threads if the person wants that', async ({ studio, bench, page }) => {
  bench.model.script('How do I bake bread?', [{ text: 'With flour.' }]);
  bench.model.script('User: How do I bake bread?\n\nAssistant: With flour.\n\nWrite the title.', [
    { text: '**Baking Bread**' },
  ]);
  await studio.open();
  await openSettings(page, 'Models');
  await studio.choose('Thread titles', 'object');
  await page.keyboard.press('Escape');
  await studio.say('How do I bake bread?');
  await expect(page.getByRole('heading', { level: 1, name: 'Baking Bread' })).toBeVisible();
  await studio.settled(1);
  expect(bench.model.requests.at(-1)).toMatchObject({ model: 'object' });
  expect(bench.model.requests.at(-1)).not.toHaveProperty('tools');
});

test('the list of models finds what is typed by the names that are shown', async ({ studio, page }) => {
  await studio.open();
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.click();
  // The model in use is the one that Enter would choose.
  await expect(page.getByRole('option', { selected: true })).toContainText('scripted');
  await page.keyboard.press('Escape');
  for (const [typed, model] of [
    ['able', 'unreachable'],
    ['1k', 'narrow-1k'],
    ['raw', 'raw'],
    ['local narrow', 'narrow-4k'],
    ['demo', 'Demo (scripted, not an AI)'],
  ] as const) {
    await picker.click();
    await page.keyboard.insertText(typed);
    await page.keyboard.press('Enter');
    await expect(picker).toHaveText(model);
  }
  await picker.click();
  await page.keyboard.insertText('no such model');
  await expect(page.getByText('No results.')).toBeVisible();
});
