import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const link = (name: string) =>
  page.getByRole('navigation', { name: 'Threads' }).getByRole('link', { name, exact: true });

test('a real model names threads after their first answer, unless that is turned off', async ({ studio }) => {
  const [first, second] = [prompt('How? (title: Baking bread)'), prompt('And? (title: Brewing tea)')];
  await model.script(first, [{ text: 'With flour.' }]);
  await model.script(second, [{ text: 'With water.' }]);
  await studio.open({ settings: { defaultModel: 'scripted', namesThreads: true } });
  await studio.say(first);
  await expect.element(link('Baking bread')).toBeVisible();
  // It is no answer, and none of its cost.
  expect(await model.requestsFor(first)).toHaveLength(1);
  await studio.openSettings('Models');
  await page.getByRole('combobox', { name: 'Thread titles' }).click();
  await page.getByRole('option', { name: 'The first words of the thread' }).click();
  await keyboard.press('Escape');
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await studio.say(second);
  await studio.settled();
  await expect.element(link(second)).toBeVisible();
});

test('a title that is being made makes no answer wait, and is made after a later one', async ({ studio }) => {
  const [first, second] = [prompt('How?'), prompt('And then?')];
  const asked = `User: ${first}\n\nAssistant: With flour.\n\nWrite the title.`;
  await model.script(first, [{ text: 'With flour.' }]);
  await model.script(second, [{ text: 'With water.' }]);
  await model.script(asked, [[{ text: 'Late', hold: { after: 0, gate: `${first} never` } }, { text: 'Baking bread' }]]);
  await studio.open({ settings: { defaultModel: 'scripted', namesThreads: true } });
  await studio.say(first);
  await studio.settled();
  await expect.poll(() => model.requestsFor(asked)).toHaveLength(1);
  await studio.say(second);
  await expect.poll(() => model.abortedFor(asked)).toBe(1);
  await studio.settled(2);
  await expect.element(link('Baking bread')).toBeVisible();
});
