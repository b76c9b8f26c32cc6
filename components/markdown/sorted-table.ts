import type { Part } from './block.ts';
import { BlockSplitter } from './block-splitter.ts';
import type { TableSort } from './next-sort.ts';
import { tableCells } from './table-cells.ts';
import { orderOf } from './table-order.ts';

/** Joins the parts of a table, each of which has the head of the table and some rows, to the Markdown of the whole table. */
export const tableSource = ([first, ...others]: readonly Part[]): string =>
  [first?.source ?? '', ...others.map(({ source }) => source.split('\n').slice(2).join('\n'))]
    .map((source) => source.trimEnd())
    .join('\n');

/**
 * Returns the parts of a table, each of which has the head of the table and some rows, with the rows sorted by a column, and
 * cut into parts again; unchanged if a parser would not read each line of the table as one row.
 */
export function sortedParts(parts: readonly Part[], { column, direction }: TableSort, locale: string): readonly Part[] {
  const source = tableSource(parts);
  const [head = '', line = '', ...rows] = source.split('\n');
  const data = tableCells(source)?.slice(1);
  if (data === undefined || data.length !== rows.length) return parts;
  const order = orderOf(
    data.map((row) => row[column] ?? ''),
    direction,
    locale,
  );
  const sorted = [head, line, ...order.map((index) => rows[index] ?? '')].join('\n');
  const [block] = new BlockSplitter().update(sorted, true).groups.flat();
  return block?.type === 'table' ? block.parts : parts;
}
