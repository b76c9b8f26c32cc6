import { type TableData, tableData } from '#lib/threads/find/table-data.ts';
import { asWritten, markFormulas } from './formulas.ts';

/** The cells of a table, as `tableData` reads them. A `|` in a formula separates none. Undefined if the source is no table. */
export function tableCells(source: string): TableData | undefined {
  const { source: marked, formulas } = markFormulas(source);
  return tableData(marked)?.map((row) => row.map((cell) => asWritten(cell, formulas)));
}
