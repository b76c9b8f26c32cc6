import { expect, test } from 'vitest';
import type { PageItem } from './page-items.ts';
import { pageText } from './page-text.ts';

const item = (text: string, x: number, y: number, more: Partial<PageItem> = {}): PageItem => ({
  text,
  x,
  y,
  width: text.length * 5,
  size: 10,
  isRightToLeft: false,
  followsSpace: false,
  ...more,
});

const LEFT = [
  'Text in columns is read',
  'from the top of the left',
  'column to its end, then',
  'the right one is read,',
  'and so on',
];
const RIGHT = [
  'as a person reads. Lines',
  'that go across both are',
  'read where they stand',
  'between the others, like',
  'a title',
];

test('columns are read one after the other, and a title across them where it stands', () => {
  const rows = LEFT.map((text, row) => [item(text, 50, 100 + row * 12), item(RIGHT[row] ?? '', 300, 100 + row * 12)]);
  const title = item('A title that goes across both of these columns of text', 50, 80);
  expect(pageText([...rows.flat().reverse(), title]).split(/\n+/)).toEqual([title.text, ...LEFT, ...RIGHT]);
});

test('the rows of a table stay together', () => {
  const rows = Array.from({ length: 6 }, (_, row) => [
    item(`Item number ${row} of the list`, 50, 100 + row * 12),
    item('Price of this item', 300, 100 + row * 12),
    item(`${row}.50`, 450, 100 + row * 12),
  ]);
  expect(pageText(rows.flat()).split('\n')[2]).toBe('Item number 2 of the list\tPrice of this item\t2.50');
});

test('words that are written piece by piece are put together, and hyphens at the end of a line are undone if the text has the whole word', () => {
  const items = [
    item('Hel', 50, 100),
    item('lo', 65, 100),
    item('world', 79, 100),
    item('docu-', 50, 112),
    item('ments are', 50, 124),
    item('well-', 50, 136),
    item('known', 50, 148),
    item('Next documents', 50, 190),
    item('soft\u00ad', 50, 202),
    item('ware', 50, 214),
  ];
  expect(pageText(items)).toBe('Hello world\ndocuments are\nwell-known\n\nNext documents\nsoftware');
  expect(pageText([item('docu-', 50, 100), item('ments', 50, 112)], new Set(['documents']))).toBe('documents');
});

test('text from right to left is read from the right', () => {
  const rtl = { isRightToLeft: true };
  expect(pageText([item('שלום', 100, 50, rtl), item('עולם', 70, 50, rtl)])).toBe('שלום עולם');
});
