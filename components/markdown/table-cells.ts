import { type TableData, tableData } from '#lib/threads/find/table-data.ts';
import { asWritten, markFormulas } from './formulas.ts';

/**
 * Returns the cells of the first table in a Markdown source, row by row from the head on, as they read when they are shown.
 * A `|` in a formula separates no cells. Undefined if there is no table.
 */
export function tableCells(source: string): TableData | undefined {
  const { source: marked, formulas } = markFormulas(source);
  return tableData(marked)?.map((row) => row.map((cell) => asWritten(cell, formulas)));
}
