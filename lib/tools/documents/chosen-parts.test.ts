import { expect, test } from 'vitest';
import { chosenParts } from './chosen-parts.ts';

const pages = (asked: string) => chosenParts({ unit: 'page', count: 10 }, asked);

test.each([
  ['3', [3]],
  ['2-4, 9', [2, 3, 4, 9]],
  ['pages 9-', [9, 10]],
  ['8-99', [8, 9, 10]],
  ['3; 1', [1, 3]],
])('the pages %s are chosen', (asked, expected) => {
  expect(pages(asked)).toEqual(expected);
});

test.each([
  ['1,99', 'There is no page "99": the document has 10 pages. Give numbers, such as "1-3".'],
  ['0', 'There is no page "0"'],
  ['7-3', '"7-3" ends before it begins. Give "3-7".'],
  ['-5', '"-5" has no beginning. Give "1-5" or "5".'],
  ['2, Prices', 'There is no page "2, Prices"'],
  ['-', 'There is no page "-"'],
])('%s says what is wrong', (asked, message) => {
  expect(() => pages(asked)).toThrow(message);
});

test('a sheet has the name that it has, even if it looks like a range', () => {
  expect(chosenParts({ unit: 'sheet', count: 2, names: ['7-3', 'Second'] }, '7-3')).toEqual([1]);
  expect(() => chosenParts({ unit: 'sheet', count: 2, names: ['A', 'B'] }, 'C')).toThrow('2 sheets: "A", "B".');
});
