import { expect, test } from 'vitest';
import { orderOf } from './table-order.ts';

const sorted = (cells: string[], direction: 'ascending' | 'descending' = 'ascending', locale = 'en'): string[] =>
  orderOf(cells, direction, locale).map((index) => cells[index] ?? '');

test.each([
  ['with separators of thousands', ['900', '1,234.5', '-3', '10,000']],
  ['with a comma before the decimals', ['1.234,5', '900,5', '-3,25']],
  ['in percent', ['9 %', '12 %', '100%']],
  ['of money', ['-$3', '$20', '$1,000']],
  ['of money, with the currency behind', ['1 €', '20 €', '1 000 €']],
  ['with one unit', ['9 ms', '12.5 ms', '100 ms']],
  ['with an exponent', ['2e-3', '1', '1e3']],
  ['with a real minus sign', ['−10', '−2', '3']],
])('numbers %s are sorted by their value', (_, cells) => {
  const ordered = cells.toSorted((one, other) => value(one) - value(other));
  expect(sorted(cells)).toEqual(ordered);
  expect(sorted(cells.toReversed())).toEqual(ordered);
  expect(sorted(cells, 'descending')).toEqual(ordered.toReversed());
});

/** The value of the cells above, which differ in their form, by hand. */
const VALUES = new Map<string, number>([
  ['1,234.5', 1234.5],
  ['10,000', 10_000],
  ['1.234,5', 1234.5],
  ['900,5', 900.5],
  ['-3,25', -3.25],
  ['-$3', -3],
  ['$20', 20],
  ['$1,000', 1_000],
  ['1 000 €', 1_000],
  ['−10', -10],
  ['−2', -2],
]);
const value = (cell: string): number => VALUES.get(cell) ?? Number.parseFloat(cell);

test.each([
  ['in ISO 8601', ['2023-12-31', '2024-01-02', '2024-01-02 10:30']],
  ['with names of months', ['Dec 31, 2023', '2 January 2024', 'February 2024']],
  ['with points', ['31.12.2023', '2.1.2024', '1.2.2024']],
  ['with slashes, the month first', ['12/31/2023', '1/2/2024', '2/1/2024']],
  ['with slashes, the day first', ['31/12/2023', '2/1/2024', '1/2/2024']],
  ['in Chinese', ['2023年12月31日', '2024年1月2日', '2024年10月1日']],
])('dates %s are sorted by time', (_, cells) => {
  expect(sorted(cells.toReversed())).toEqual(cells);
  expect(sorted(cells, 'descending')).toEqual(cells.toReversed());
});

test('text is sorted as the language does, with numbers in it by their value', () => {
  expect(sorted(['item 10', 'Item 2', 'écrou', 'zebra', 'apple'])).toEqual([
    'apple',
    'écrou',
    'Item 2',
    'item 10',
    'zebra',
  ]);
  expect(sorted(['重庆', '北京', '上海'], 'ascending', 'zh-CN')).toEqual(
    ['北京', '上海', '重庆'].toSorted(new Intl.Collator('zh-CN').compare),
  );
});

test('numbers with different units, and versions, are text', () => {
  expect(sorted(['2 MB', '10 kB'])).toEqual(['2 MB', '10 kB']);
  expect(sorted(['1.10.0', '1.9.0'])).toEqual(['1.9.0', '1.10.0']);
});

test('empty cells are last in both directions, and equal rows keep their order', () => {
  expect(sorted(['', '2', '—', '1', 'n/a'])).toEqual(['1', '2', '', '—', 'n/a']);
  expect(sorted(['', '2', '—', '1'], 'descending')).toEqual(['2', '1', '', '—']);
  expect(orderOf(['b', 'a', 'b', 'a'], 'descending', 'en')).toEqual([0, 2, 1, 3]);
});

test.each([
  ['months of the language', ['Oktober 2023', '1. Februar 2024', '2. März 2024', 'Mai 2024'], 'de'],
  ['English months in another language', ['Dec 2023', 'January 2024', 'Sept. 2024'], 'de'],
  ['names with a year are no dates', ['Office 2003', 'Windows 2000'], 'en'],
  ['versions', ['3.2', '3.9', '3.10', '3.11'], 'en'],
  ['decimals', ['0.1', '0.25', '0.5'], 'en'],
  ['thousands and millions', ['900', '1.2k', '1,500', '12k', '2M'], 'en'],
  ['parameters', ['350M', '7B', '70B', '1.5T'], 'en'],
  ['elements', ['H', 'Na', 'O', 'N/A'], 'en'],
  ['fractions of seconds', ['2024-01-01 10:00:00.2', '2024-01-01 10:00:00.5'], 'en'],
])('%s are sorted as people would', (_, cells, locale) => {
  expect(sorted(cells.toReversed(), 'ascending', locale)).toEqual(cells);
});
