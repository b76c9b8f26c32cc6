import { expect } from 'vitest';
import { placesIn } from '#components/chat/find/dom-matches.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';

const ANSWER = String.raw`The roots are $x_1$ and $x_2$, at \(O(n \log n)\):

\[
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
\]

It costs $5 to $10.

$$\frac{1}{2$$`;

test('formulas are drawn, money is not, and a mistake is shown at its place', async ({ studio }) => {
  await showAnswer(studio, ANSWER);
  const answer = studio.answers.last();
  await expect.poll(() => answer.element().querySelectorAll('.katex math').length).toBe(4);
  expect(answer.element().querySelectorAll('.katex-display math[display="block"]')).toHaveLength(1);
  // The text for copying takes no place.
  for (const written of answer.element().querySelectorAll<HTMLElement>('[data-written]')) {
    const box = written.closest<HTMLElement>('[dir="ltr"]');
    const withIt = box?.getBoundingClientRect().height;
    written.remove();
    expect(box?.getBoundingClientRect().height).toBe(withIt);
  }
  await expect.element(answer).toContainText('It costs $5 to $10.');
  await expect.element(answer.getByText(/This formula can’t be drawn: /)).toBeVisible();
  expect(answer.element().querySelector('mark')?.textContent).toBe('$$');
});

test('formulas are found and copied as they were written', async ({ studio }) => {
  await showAnswer(studio, ANSWER);
  const answer = studio.answers.last();
  await expect.poll(() => answer.element().querySelectorAll('.katex math').length).toBe(4);
  const [paragraph] = answer.element().querySelectorAll('.markdown p');
  if (paragraph === undefined) throw new Error('There is no paragraph.');
  getSelection()?.selectAllChildren(paragraph);
  const data = new DataTransfer();
  document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
  expect(data.getData('text/plain')).toBe('The roots are $x_1$ and $x_2$, at \\(O(n \\log n)\\):');
  expect([...placesIn(answer.element(), /\$x_1\$|x_1/g)]).toHaveLength(1);
  expect([...placesIn(answer.element(), /frac\{-b/g)]).toHaveLength(1);
});

test.for([
  ['fractions in fractions', `${String.raw`\frac{1}{1+`.repeat(330)}x${'}'.repeat(330)}`],
  [
    'roots by macros',
    `${Array.from({ length: 120 }, (_, n) => defined(n, `\\sqrt{${macro(n + 1)}}`)).join('')}${defined(120, 'x')}${macro(0)}`,
  ],
  ['a wide macro', `\\def\\a{${'x'.repeat(500)}}${'\\a'.repeat(500)}`],
  ['open braces', 'x^{'.repeat(1_300)],
  [
    'macros in macros',
    String.raw`\def\a{\b\b\b\b}\def\b{\c\c\c\c}\def\c{\d\d\d\d}\def\d{\e\e\e\e}\def\e{xxxx}\a\a\a\a`,
  ],
  ['endless macros', String.raw`\def\a{\a\a}\a`],
] as const)('%s are shown as they were written', async ([, tex], { studio }) => {
  await showAnswer(studio, `$$\n${tex}\n$$\n\nThe answer goes on.`);
  const answer = studio.answers.last();
  await expect.element(answer).toContainText('The answer goes on.');
  await expect.element(answer.getByText(/^This formula can’t be drawn: /)).toBeVisible();
  expect(answer.element().querySelector('.katex')).toBeNull();
});

test('nothing in a formula loads anything or leads anywhere', async ({ studio }) => {
  const tex = String.raw`\href{https://x.test}{x} \includegraphics{https://x.test/a.png} \htmlStyle{background: url(https://x.test)}{x}`;
  await showAnswer(studio, `$$\n${tex}\n$$`);
  const answer = studio.answers.last();
  await expect.poll(() => answer.element().querySelector('.katex')).not.toBeNull();
  expect(answer.element().querySelectorAll('.katex :is(a, img, [style*="url"])')).toHaveLength(0);
});

/** The name of a macro, which has only letters. */
function macro(n: number): string {
  return `\\m${String(n).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;
}

function defined(n: number, body: string): string {
  return `\\def${macro(n)}{${body}}`;
}

test('details open and close, with all that Markdown has inside them, and searches find what they hide', async ({
  studio,
}) => {
  await showAnswer(
    studio,
    '<details>\n<summary>The <b>proof</b></summary>\n\nIt is $x_1$, and\n\n- one hidden item\n\n</details>\n\nThe end.',
  );
  const answer = studio.answers.last();
  const item = answer.getByText('one hidden item');
  await expect.element(answer.getByText('The end.')).toBeVisible();
  await expect.element(item).not.toBeInTheDocument();
  const summary = answer.getByText('The proof');
  await summary.click();
  await expect.element(item).toBeVisible();
  await expect.poll(() => answer.element().querySelectorAll('details .katex math').length).toBe(1);
  await summary.click();
  await expect.element(item).not.toBeInTheDocument();
  const [place] = placesIn(answer.element(), /hidden item/g);
  place?.show?.();
  await expect.element(item).toBeVisible();
});

test('links in a summary work, and definitions outside of details count inside', async ({ studio }) => {
  await showAnswer(
    studio,
    '<details open>\n<summary>See [the site](https://site.example)</summary>\n\n[inside][1]\n\n</details>, then more.\n\n[1]: https://far.example',
  );
  const answer = studio.answers.last();
  await expect.element(answer.getByRole('link', { name: 'inside' })).toHaveAttribute('href', 'https://far.example');
  await expect.element(answer.getByText(', then more.')).toBeVisible();
  const link = answer.getByRole('link', { name: 'the site' }).element();
  let isPrevented: boolean | undefined;
  document.addEventListener(
    'click',
    (event) => {
      isPrevented = event.defaultPrevented;
      event.preventDefault();
    },
    { once: true },
  );
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  expect(isPrevented).toBe(false);
});
