import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

test('an answer can be tried again with another model, as another version', async ({ studio }) => {
  const question = prompt('Who?');
  await model.script(question, [[{ text: 'Answer one.' }, { text: 'Answer two.' }]]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1);
  await studio.chooseAction('Try again with another model');
  await page.getByRole('option', { name: /^no-tools/ }).click();
  await expect.element(studio.answers.last()).toContainText('Answer two.');
  await studio.settled(2);
  await expect.element(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveText('no-tools');
  expect((await studio.turns()).at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'step', model: 'no-tools' }),
  );
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect.element(studio.answers.last()).toContainText('Answer one.');
});

test('while the provider’s rate limit is waited for, one can try now or use another model', async ({ studio }) => {
  const [now, other] = [prompt('Now'), prompt('Other')];
  const limited = { status: 429, message: 'slow down', headers: { 'retry-after': '50' } };
  await model.script(now, [[limited, { text: 'It went through.' }]]);
  await model.script(other, [[limited, { text: 'The other one answered.' }]]);
  await using server = await startServer('studio', { env: { AGENT_MAX_RETRIES: '2' } });
  await studio.open({ server });
  await studio.say(now);
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect.element(studio.answers.last()).toContainText('It went through.');
  await studio.say(other);
  await page.getByRole('button', { name: 'Use another model' }).click();
  await page.getByRole('option', { name: /^no-tools/ }).click();
  await expect.element(studio.answers.last()).toContainText('The other one answered.');
});

test('a thread has its own model parameters; the others keep the defaults', async ({ studio }) => {
  const [withOwn, without] = [prompt('With'), prompt('Without')];
  for (const question of [withOwn, without]) await model.script(question, [{ text: 'Fine.' }]);
  await studio.open();
  await page.getByRole('button', { name: 'Thread options' }).click();
  await page.getByRole('menuitem', { name: 'Model settings…' }).click();
  const temperature = page.getByRole('textbox', { name: 'Temperature in this thread (0 to 2)' });
  await expect.element(temperature).toHaveAttribute('placeholder', 'Default: set by the provider');
  await temperature.fill('3');
  await expect
    .element(page.getByRole('dialog').getByRole('alert'))
    .toHaveText('Not saved. Enter a number from 0 to 2.');
  await temperature.fill('0.3');
  await page.getByRole('textbox', { name: 'Maximum output tokens' }).fill('500');
  await studio.choose('Reasoning effort', 'High');
  await keyboard.press('Escape');
  await studio.say(withOwn);
  await studio.settled(1);
  expect(await model.requestsFor(withOwn)).toMatchObject([
    { temperature: 0.3, max_tokens: 500, reasoning_effort: 'high' },
  ]);
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await studio.say(without);
  await expect.element(studio.answers.last()).toContainText('Fine.');
  const [plain] = await model.requestsFor(without);
  expect([plain?.temperature, plain?.max_tokens, plain?.reasoning_effort]).toEqual([undefined, undefined, undefined]);
});

test('a model names new threads if the person wants that', async ({ studio }) => {
  const question = prompt('How do I bake bread?');
  const asked = `User: ${question}\n\nAssistant: With flour.\n\nWrite the title.`;
  await model.script(question, [{ text: 'With flour.' }]);
  await model.script(asked, [{ text: '**Baking Bread**' }]);
  await studio.open();
  await studio.openSettings('Models');
  await studio.choose('Thread titles', 'object');
  await keyboard.press('Escape');
  await studio.say(question);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Baking Bread' })).toBeVisible();
  await studio.settled(1);
  const request = (await model.requestsFor(asked)).at(-1);
  expect(request).toMatchObject({ model: 'object' });
  expect(request).not.toHaveProperty('tools');
});

test('the list of models finds what is typed by the names that are shown', async ({ studio }) => {
  await studio.open();
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.click();
  // The model in use is the one that Enter would choose.
  await expect.element(page.getByRole('option', { selected: true })).toContainText('scripted');
  await keyboard.press('Escape');
  for (const [typed, found] of [
    ['able', 'unreachable'],
    ['1k', 'narrow-1k'],
    ['raw', 'raw'],
    ['local narrow', 'narrow-4k'],
    ['demo', 'Demo (scripted, not an AI)'],
  ] as const) {
    await picker.click();
    await keyboard.insertText(typed);
    await keyboard.press('Enter');
    await expect.element(picker).toHaveText(found);
  }
  await picker.click();
  await keyboard.insertText('no such model');
  await expect.element(page.getByText('No results.')).toBeVisible();
});
