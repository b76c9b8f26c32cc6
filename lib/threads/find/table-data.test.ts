import { expect, test } from 'vitest';
import { csvOf, tableData, tsvOf } from './table-data.ts';

const TABLE = '| a | **b** |\n| - | -: |\n| 1,5 | say "hi" |\n| `x\\|y` | [link](https://a.test) |\n| | 2<br>3 |';

test('cells are read as they are shown', () => {
  expect(tableData(TABLE)).toEqual([
    ['a', 'b'],
    ['1,5', 'say "hi"'],
    ['x|y', 'link'],
    ['', '2\n3'],
  ]);
  expect(tableData('no table')).toBeUndefined();
});

test.each(['1.', '-', '#', '*', '1. x', '> q', '[a]: b', '- [ ] todo'])('a cell with %j keeps it', (cell) => {
  expect(tableData(`| n | v |\n| - | - |\n| ${cell} | x |`)?.[1]).toEqual([cell, 'x']);
});

test('cells that a spreadsheet would calculate are text', () => {
  const table = [['=1+1', '@a', '+cmd', '-x', '-5', '+1', '-', 'a=b']];
  expect(csvOf(table)).toBe("'=1+1,'@a,'+cmd,'-x,-5,+1,-,a=b");
});

test('CSV quotes what needs it, and tabs and lines end no cell of a spreadsheet', () => {
  const table = tableData(TABLE) ?? [];
  expect(csvOf(table)).toBe('a,b\r\n"1,5","say ""hi"""\r\nx|y,link\r\n,"2\n3"');
  expect(tsvOf(table)).toBe('a\tb\n1,5\tsay "hi"\nx|y\tlink\n\t2 3');
});
