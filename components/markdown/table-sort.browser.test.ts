import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { copiedBy, keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const TABLE = ['| Name | Price | [Day](https://a.example) |', '| - | -: | - |'];
const ROWS = ['| pear | $1,200 | 2024-02-01 |', '| **apple** | $9 | 2023-12-31 |', '| fig | $20.5 | 2024-01-15 |'];

const head = (name: string) => page.getByRole('columnheader', { name });
/** The first cell of each row that is shown. */
const names = (): string[] => [...document.querySelectorAll('article td:first-child')].map((cell) => cell.textContent);

test('a table is sorted by a column, up, down, and as it was written', async ({ studio }) => {
  await showAnswer(studio, ['Here:', '', ...TABLE, ...ROWS].join('\n'));
  await head('Price').click();
  await expect.poll(names).toEqual(['apple', 'fig', 'pear']);
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'ascending');
  await head('Price').click();
  await expect.poll(names).toEqual(['pear', 'fig', 'apple']);
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'descending');
  await expect.element(head('Name')).toHaveAttribute('aria-sort', 'none');
  await head('Price').click();
  await expect.poll(names).toEqual(['pear', 'apple', 'fig']);
});

test('keys sort a table, and it is copied in the order that is shown', async ({ studio }) => {
  await showAnswer(studio, ['Here:', '', ...TABLE, ...ROWS].join('\n'));
  await press(head('Name').getByRole('button'), 'Enter');
  await expect.poll(names).toEqual(['apple', 'fig', 'pear']);
  await keyboard.press('Space');
  await expect.poll(names).toEqual(['pear', 'fig', 'apple']);
  await expect.element(head('Name').getByRole('button')).toHaveFocus();
  const copied = await copiedBy(() => page.getByRole('button', { name: 'Copy table' }).click());
  expect(copied.split('\n').map((row) => row.split('\t')[0])).toEqual(['Name', 'pear', 'fig', 'apple']);
});

test('tables inside a list and a quote are sorted, each by itself', async ({ studio }) => {
  const indented = [...TABLE, ...ROWS].map((line) => `  ${line}`);
  const quoted = ['| Name |', '| - |', '| b |', '| a |'].map((line) => `> ${line}`);
  await showAnswer(studio, ['- Here:', '', ...indented, '', ...quoted].join('\n'));
  await head('Price').click();
  await expect.poll(names).toEqual(['apple', 'fig', 'pear', 'b', 'a']);
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'ascending');
  await head('Name').last().click();
  await expect.poll(names).toEqual(['apple', 'fig', 'pear', 'a', 'b']);
  const copy = page.getByRole('button', { name: 'Copy table' });
  const first = await copiedBy(() => copy.first().click());
  expect(first).toBe('Name\tPrice\tDay\napple\t$9\t2023-12-31\nfig\t$20.5\t2024-01-15\npear\t$1,200\t2024-02-01');
  expect(await copiedBy(() => copy.last().click())).toBe('Name\na\nb');
  await page.getByRole('button', { name: 'More for this table' }).last().click();
  const markdown = await copiedBy(() => page.getByRole('menuitem', { name: 'Copy as Markdown' }).click());
  expect(markdown).toBe('| Name |\n| - |\n| a |\n| b |');
  await head('Price').click();
  await head('Price').click();
  await expect.poll(names).toEqual(['pear', 'apple', 'fig', 'a', 'b']);
});

test.for([
  [
    'a quote without spaces',
    '> Name | n\n>--- | ---:\n>Alice | 2',
    'Name | n\n| - | -: |\nAlice | 2',
    'Name\tn\nAlice\t2',
  ],
  [
    'a head that is indented further',
    '- Item\n\n     | Name | n |\n  | --- | --- |\n  | Alice | $|x|$ |',
    '| Name | n |\n| - | - |\n| Alice | $|x|$ |',
    'Name\tn\nAlice\t$|x|$',
  ],
  ['tabs', '1.\t| Name | n |\n\t| :-: | --- |\n\t|  | 2 |', '| Name | n |\n| :-: | - |\n|  | 2 |', 'Name\tn\n\t2'],
] as const)('a table is copied from %s', async ([, source, markdown, cells], { studio }) => {
  await showAnswer(studio, source);
  expect(await copiedBy(() => page.getByRole('button', { name: 'Copy table' }).click())).toBe(cells);
  await page.getByRole('button', { name: 'More for this table' }).click();
  expect(await copiedBy(() => page.getByRole('menuitem', { name: 'Copy as Markdown' }).click())).toBe(markdown);
});

test('all rows of a long table are sorted, even those that are not shown', async ({ studio }) => {
  const rows = Array.from({ length: 1_200 }, (_, n) => `| ${n} |`);
  await showAnswer(studio, ['| n |', '| - |', ...rows].join('\n'));
  await head('n').click();
  await head('n').click();
  await expect.poll(() => names()[0]).toBe('1199');
});

test('a table is not sorted while its answer is being written', async ({ studio }) => {
  const question = prompt('Write a table');
  const table = `${[...TABLE, ...ROWS].join('\n')}\n\nMore`;
  await model.script(question, [{ text: `${table} text.`, hold: { after: table.length, gate: question } }]);
  await studio.open();
  await studio.say(question);
  await expect.poll(names).toEqual(['pear', 'apple', 'fig']);
  await head('Price').click();
  expect(head('Price').element().hasAttribute('aria-sort')).toBe(false);
  await model.open(question);
  await studio.settled();
  expect(names()).toEqual(['pear', 'apple', 'fig']);
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'none');
});

test('formulas with a line in them are one cell, and a picture in a head does not sort', async ({ studio }) => {
  await showAnswer(studio, '| ![dot](/dot.svg) | n |\n|---|---|\n| $|x|$ | 10 |\n| $|y|$ | 9 |\n| $|z|$ | 100 |', {
    '/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"/>',
  });
  const answer = studio.answers.last();
  const numbers = () => [...answer.element().querySelectorAll('td:last-child')].map(({ textContent }) => textContent);
  await answer.getByRole('button', { name: 'Enlarge picture: dot' }).click();
  await page.getByRole('dialog', { name: 'dot' }).getByRole('button', { name: 'Zoom in' }).click();
  await userEvent.keyboard('{Escape}');
  expect(numbers()).toEqual(['10', '9', '100']);
  await answer.getByRole('columnheader', { name: /^n / }).click();
  await expect.poll(numbers).toEqual(['9', '10', '100']);
});
