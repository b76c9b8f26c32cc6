import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import type { TableSort } from './next-sort.ts';

/** The sorting of the surrounding table, and the function that sorts it by another column; undefined if it cannot be sorted. */
export const TableSortContext = createContext<
  { sort: TableSort | undefined; onSort(column: number): void } | undefined
>(undefined);

interface TableHeadProps extends ComponentProps<'th'> {
  /** The number of the column, from 0; undefined in tables that cannot be sorted. */
  column: number | undefined;
}

/** The head of a column, which sorts the table. Its button is for the keyboard; a click counts anywhere in the cell. */
export function TableHead({ column, children, ...props }: TableHeadProps) {
  const texts = useMarkdownTexts();
  const table = useContext(TableSortContext);
  if (column === undefined) return <th {...props}>{children}</th>;
  if (table === undefined)
    return (
      <th {...props} scope="col">
        {children}
      </th>
    );
  const direction = table.sort?.column === column ? table.sort.direction : undefined;
  const Icon = direction === undefined ? ArrowUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  const onClick = ({ target, currentTarget }: MouseEvent) => {
    // Clicks in a window that a picture of the head has opened come here, too.
    if (!(target instanceof Element && currentTarget.contains(target))) return;
    // Links and pictures work as elsewhere, and text can be selected.
    const isOther = target.closest('a, button:not([data-sorts])') !== null;
    if (!isOther && (getSelection()?.isCollapsed ?? true)) table.onSort(column);
  };
  // Before text at the right, so that the text stays above its numbers.
  const isRight = props.style?.textAlign === 'right';
  const button = (
    <button
      type="button"
      data-unsearched=""
      data-inline=""
      data-sorts=""
      aria-label={texts.sortColumn}
      data-tooltip={texts.sortColumn}
      className={`inline-flex rounded-sm align-[-1px] text-muted hover:text-text ${isRight ? 'me-1' : 'ms-1'} ${direction === undefined ? 'opacity-0 focus-visible:opacity-100 group-hover/head:opacity-100 pointer-coarse:opacity-60' : ''}`}
    >
      <Icon aria-hidden size={12} />
    </button>
  );
  return (
    <th {...props} scope="col" aria-sort={direction ?? 'none'} onClick={onClick} className="group/head cursor-pointer">
      {isRight ? button : null}
      {children}
      {isRight ? null : button}
    </th>
  );
}
