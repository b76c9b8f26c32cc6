import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const ANSWER = String.raw`The roots are $x_1$ and $x_2$, at \(O(n \log n)\):

\[
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
\]

It costs $5 to $10.

$$\frac{1}{2$$`;

test('formulas are drawn, money is not, and a mistake is shown at its place', async ({ studio }) => {
  const question = prompt('Roots?');
  await model.script(question, [{ text: ANSWER }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.poll(() => answer.element().querySelectorAll('.katex math').length).toBe(4);
  expect(answer.element().querySelectorAll('.katex-display math[display="block"]')).toHaveLength(1);
  await expect.element(answer).toContainText('It costs $5 to $10.');
  await expect.element(answer.getByText(/This formula can’t be drawn: /)).toBeVisible();
  expect(answer.element().querySelector('mark')?.textContent).toBe('$$');
});

test('formulas are found and copied as they were written', async ({ studio }) => {
  const question = prompt('Roots?');
  await model.script(question, [{ text: ANSWER }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.poll(() => answer.element().querySelectorAll('.katex math').length).toBe(4);
  const [paragraph] = answer.element().querySelectorAll('.markdown p');
  if (paragraph === undefined) throw new Error('There is no paragraph.');
  getSelection()?.selectAllChildren(paragraph);
  const data = new DataTransfer();
  document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
  expect(data.getData('text/plain')).toContain('The roots are $x_1$ and $x_2$');
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await expect.element(page.getByRole('main')).toBeVisible();
});
