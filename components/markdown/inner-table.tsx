import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import type { ExtraProps } from 'react-markdown';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { asWritten } from './formulas.ts';
import { nextSort, type TableSort } from './next-sort.ts';
import { SourceContext } from './source-context.ts';
import { TableActions } from './table-actions.tsx';
import { TableSortContext } from './table-head.tsx';
import { orderOf } from './table-order.ts';
import { elementsIn, textOf } from './tree-shapes.ts';
import { BlockNameContext } from './use-shown.ts';
import { WritingContext } from './writing.ts';

interface InnerTableProps extends ExtraProps {
  /** The head and the body, as rendered. */
  children?: ReactNode;
}

/** A table inside a list or a quote. Once the answer is complete, the head of a column sorts the rows by it, as elsewhere. */
export function InnerTable({ node, children }: InnerTableProps) {
  const { locale } = useMessages();
  const isWriting = useContext(WritingContext);
  const name = `sort/${useContext(BlockNameContext)}/${node?.position?.start.offset}`;
  const [sort, setSort] = useKeptState<TableSort | undefined>(name, undefined);
  const order = useMemo(
    () =>
      node === undefined || sort === undefined || isWriting
        ? undefined
        : orderOf(cellsOf(node, sort.column), sort.direction, locale),
    [node, sort, isWriting, locale],
  );
  const sorting = isWriting ? undefined : { sort, onSort: (column: number) => setSort(nextSort(sort, column)) };
  const { text, formulas } = useContext(SourceContext);
  return (
    <div className="group/table relative my-block">
      <div className="overflow-x-auto">
        <TableSortContext value={sorting}>
          <table>{order === undefined ? children : Children.map(children, (part) => sorted(part, order))}</table>
        </TableSortContext>
      </div>
      {node === undefined ? null : <TableActions source={() => asWritten(sourceOf(node, text, order), formulas)} />}
    </div>
  );
}

type Table = NonNullable<ExtraProps['node']>;

const DELIMITERS: Readonly<Record<string, string>> = { left: ':-', center: ':-:', right: '-:' };

/**
 * Returns the Markdown of a table without what its lines begin with in the list or the quote. `text`: the Markdown in which the
 * table stands. `order`: the numbers of its rows in the order to return, from 0 without the head.
 */
function sourceOf(table: Table, text: string, order: readonly number[] | undefined): string {
  const written = ({ position }: Table): string => text.slice(position?.start.offset, position?.end.offset);
  const [head] = rowsOf(table, 'thead');
  const rows = rowsOf(table, 'tbody').map(written);
  const cells = head === undefined ? [] : elementsIn(head, 'th');
  const delimiters = cells.map(({ properties }) => DELIMITERS[String(properties.align)] ?? '-');
  const sorted = order?.map((index) => rows[index] ?? '') ?? rows;
  return [head === undefined ? '' : written(head), `| ${delimiters.join(' | ')} |`, ...sorted].join('\n');
}

/** The texts of a column of a table, from 0, row by row without the head. */
const cellsOf = (table: Table, column: number): string[] =>
  rowsOf(table, 'tbody').map((row) => textOf(elementsIn(row, 'td')[column]));

const rowsOf = (table: Table, part: 'thead' | 'tbody'): Table[] =>
  elementsIn(table, part).flatMap((one) => elementsIn(one, 'tr'));

/** Returns the body of a table with its rows in this order; any other part, and a body of other rows, as it is. */
function sorted(part: ReactNode, order: readonly number[]): ReactNode {
  if (!isValidElement<{ children?: ReactNode }>(part) || part.type !== 'tbody') return part;
  const rows = Children.toArray(part.props.children).filter((row): row is ReactElement => isValidElement(row));
  return rows.length === order.length
    ? cloneElement(
        part,
        {},
        order.map((index) => rows[index]),
      )
    : part;
}
