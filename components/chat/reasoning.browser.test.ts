import { expect } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { findBar, findInThread } from './test/conversation.ts';

const REASONING = ['## Plan', '', 'One line', 'and **the next** one.', '', '- first', '- second'].join('\n');

test('reasoning is shown as Markdown, also while it is being written, and keeps its line breaks', async ({
  studio,
}) => {
  const question = prompt('Think first');
  await model.script(question, [
    { reasoning: `${REASONING} thing`, text: 'Done.', piece: 3, hold: { after: REASONING.length, gate: question } },
  ]);
  await studio.open();
  await studio.say(question);
  const answer = studio.answers.last();
  await answer.getByRole('button', { name: 'Thinking…' }).click();
  await expect.element(answer.getByRole('heading', { name: 'Plan' })).toBeVisible();
  await expect.element(answer.getByRole('listitem').last()).toContainText('second');
  await model.open(question);
  await studio.settled();
  await expect.element(answer.getByRole('listitem').last()).toContainText('second thing');
  const paragraph = answer.getByText('One line').element();
  expect(paragraph instanceof HTMLElement && paragraph.innerText).toBe('One line\nand the next one.');
});

test('a search finds text of reasoning across its marks', async ({ studio }) => {
  const question = prompt('Think, then I search');
  await model.script(question, [{ reasoning: REASONING, text: 'Done.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await findInThread('and the next one');
  await expect.element(findBar).toContainText('1 of 1');
  await expect.element(studio.answers.last().getByRole('heading', { name: 'Plan' })).toBeVisible();
});

test('long reasoning does not block the page', async ({ studio }) => {
  const question = prompt('Think long');
  const reasoning = Array.from({ length: 3_000 }, (_, n) => `Thought **${n}** of many, with \`code\`.`).join('\n\n');
  await model.script(question, [{ reasoning, text: 'Done.', piece: 20_000 }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await answer.getByRole('button', { name: /^Thought/ }).click();
  await expect.element(answer.getByText('Thought 0 of many')).toBeVisible();
  // Only what is near the screen is parsed.
  expect(answer.element().querySelectorAll('.markdown p').length).toBeLessThan(1_500);
  await studio.message.click();
  await keyboard.type('still here');
  await expect.element(studio.message).toHaveValue('still here');
});
