import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, readCall } from '#e2e/lib/prompt.ts';

const BLOCKS = [
  'One.',
  '- a\n- b',
  '```js\n1\n```',
  '> quote',
  '| a |\n| - |\n| 1 |',
  '$$x^2$$',
  '> [!NOTE]\n> note',
  'End.',
];

/** The distances between elements that follow each other, in CSS pixels. */
const gaps = (elements: readonly Element[]): number[] =>
  elements.slice(1).map((element, index) => {
    const before = elements[index]?.getBoundingClientRect().bottom ?? 0;
    return Math.round(element.getBoundingClientRect().top - before);
  });

test('the blocks of an answer are 12 to 16 pixels apart', async ({ studio }) => {
  await showAnswer(studio, BLOCKS.join('\n\n'));
  const blocks = () => [...studio.answers.last().element().querySelectorAll('.markdown > .blocks > *')];
  await expect.poll(() => blocks().length).toBe(BLOCKS.length);
  for (const gap of gaps(blocks())) expect([gap >= 12, gap <= 16], `${gap} px`).toEqual([true, true]);
});

test('text and cards of an answer are 12 to 16 pixels apart', async ({ studio }) => {
  const question = prompt('Read it');
  await model.script(question, [
    { reasoning: 'I should read it.', text: 'I read it.', calls: readCall('/a.txt') },
    { text: 'It says alpha.' },
  ]);
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer).toContainText('It says alpha.');
  const parts = [...answer.element().children].filter((part) => part.tagName !== 'H3').slice(0, 4);
  await expect.element(studio.call('read_file')).toBeVisible();
  for (const gap of gaps(parts)) expect([gap >= 12, gap <= 16], `${gap} px`).toEqual([true, true]);
});

test('the error of an earlier turn is a line that can be opened, and that of the last one is open', async ({
  studio,
}) => {
  const [first, second] = [prompt('Fail'), prompt('Fail again')];
  const fire = { status: 500, message: 'The GPU is on fire' };
  await model.script(first, [{ calls: readCall('/none') }, [fire, fire, fire]]);
  await model.script(second, [[fire, fire, fire]]);
  await studio.open();
  await studio.say(first);
  await studio.settled();
  await expect.element(studio.answers.first().getByRole('alert')).toContainText('The GPU is on fire');
  await studio.say(second);
  await studio.settled(2);
  await expect.element(studio.answers.last().getByRole('alert')).toContainText('The GPU is on fire');
  await expect.element(studio.answers.first()).not.toContainText('on fire');
  await page.getByRole('button', { name: 'The answer couldn’t be completed' }).click();
  await expect.element(studio.answers.first()).toContainText('The GPU is on fire');
  await studio.reopen();
  await expect.element(studio.answers.last().getByRole('alert')).toContainText('The GPU is on fire');
});
