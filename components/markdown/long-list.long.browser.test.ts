import { expect } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

/** The characters per chunk of an answer. Large, because these tests are not about how often chunks arrive. */
const PIECE = 20_000;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Expects that the page is responsive: typed text arrives in the message box. */
async function expectAnswering(studio: StudioPage): Promise<void> {
  await studio.message.fill('');
  await keyboard.type('still here');
  await expect.element(studio.message).toHaveValue('still here');
}

test('a list of 10,000 items shows its beginning, and all items when asked', { timeout: 60_000 }, async ({
  studio,
}) => {
  const question = prompt('Long list');
  const items = lines(10_000, (index) => `${index + 1}. item ${index}`);
  await model.script(question, [{ text: `${items}\n\nThe end.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.getByText('The end.')).toBeVisible();
  expect(answer.getByRole('listitem').length).toBeLessThan(300);
  await answer.getByRole('button', { name: 'Show all 10,000 items' }).click();
  await expectAnswering(studio);
  await expect.element(answer.locate('ol > li'), { timeout: 30_000 }).toHaveLength(10_000);
  await expect.element(answer.locate('ol')).toHaveLength(1);
  await expectAnswering(studio);
});
