import { expect, test } from 'vitest';
import { outlineOf } from './outline.ts';

test('the outline has the headings of a text, with their depth, and nothing that only looks like one', () => {
  const text = [
    '## One **bold**',
    'Text.',
    '### Two `code`',
    '```sh\n# no heading\n```',
    '> # quoted',
    '- # in a list',
    '#no heading',
    'Three\n-----',
    '##',
    '#### Four',
  ].join('\n\n');
  expect(outlineOf(text, 'm/0').map(({ depth, text: shown }) => [depth, shown])).toEqual([
    [0, 'One bold'],
    [1, 'Two code'],
    [0, 'Three'],
    [2, 'Four'],
  ]);
});

test('a formula in a heading stands without its delimiters, and prices as they are', () => {
  const text = '# The value of $x^2$ and \\(y_1\\)\n\n## $5 to $10 a month\n\n## `$x^2$` in code';
  expect(outlineOf(text, 'm/0').map((entry) => entry.text)).toEqual([
    'The value of x^2 and y_1',
    '$5 to $10 a month',
    '$x^2$ in code',
  ]);
});

test('headings are named by the group and the block that they are in, as these are rendered', () => {
  const text = Array.from({ length: 50 }, (_, n) => `# ${n}\n\nText.`).join('\n\n');
  const last = outlineOf(text, 'm/0').at(-1);
  expect(last).toMatchObject({ text: '49', group: 'm/0/2', block: 'm/0/2/18', ordinal: 0 });
});
