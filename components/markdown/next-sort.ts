/** The column by which a table is sorted, from 0, and the direction. */
export interface TableSort {
  column: number;
  direction: 'ascending' | 'descending';
}

/** The sorting that a press on a column's head brings: ascending, then descending, then none. */
export function nextSort(sort: TableSort | undefined, column: number): TableSort | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}
