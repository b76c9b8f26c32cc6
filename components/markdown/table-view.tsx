import { useContext, useMemo } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { markdownText } from '#lib/threads/find/markdown-text.ts';
import type { Part, TableBlock } from './block.ts';
import { MARKDOWN_LIMITS } from './limits.ts';
import { MarkdownPart } from './markdown-part.tsx';
import { nextSort, type TableSort } from './next-sort.ts';
import { ShowAll } from './show-all.tsx';
import { sortedParts, tableSource } from './sorted-table.ts';
import { TableActions } from './table-actions.tsx';
import { TableSortContext } from './table-head.tsx';
import { useDirection } from './use-direction.ts';
import { BlockNameContext, useShown } from './use-shown.ts';
import { WritingContext } from './writing.ts';

const { tablePartsShown, partsPerStep } = MARKDOWN_LIMITS;

/** A table of an answer. Once the answer is complete, the head of a column sorts the rows by it. */
export function TableView({ block: { parts: written, rows } }: { block: TableBlock }) {
  const texts = useMarkdownTexts();
  const { locale } = useMessages();
  const isWriting = useContext(WritingContext);
  const [sort, setSort] = useKeptState<TableSort | undefined>(`sort/${useContext(BlockNameContext)}`, undefined);
  const parts = useMemo(
    () => (sort === undefined || isWriting ? written : sortedParts(written, sort, locale)),
    [written, sort, isWriting, locale],
  );
  const sorting = useMemo(
    () => (isWriting ? undefined : { sort, onSort: (column: number) => setSort(nextSort(sort, column)) }),
    [isWriting, sort, setSort],
  );
  const { shown, isCut, showAll, box, isPartial, rest } = useShown<HTMLDivElement>({
    name: 'table',
    total: parts.length,
    initial: tablePartsShown,
    step: partsPerStep,
    textAfter: (count) => parts.slice(count).map(readableRows).join('\n'),
  });
  const dir = useDirection(parts);
  return (
    <>
      <div className="group/table relative my-block">
        <div {...box} dir={dir} className="overflow-x-auto">
          <TableSortContext value={sorting}>
            <table>
              {parts.slice(0, shown).map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table grows only at its end
                <MarkdownPart key={index} part={part} shape={index === 0 ? 'table' : 'rows'} />
              ))}
            </table>
          </TableSortContext>
        </div>
        <TableActions source={() => tableSource(parts)} />
      </div>
      {isPartial ? <div ref={rest} /> : null}
      {isCut ? <ShowAll onClick={showAll}>{texts.allRows(rows)}</ShowAll> : null}
    </>
  );
}

/** The rows of a part, without the head that it repeats. */
function readableRows({ source }: Part): string {
  const head = source.split('\n', 2).join('\n');
  return markdownText(source).slice(markdownText(head).length + 1);
}
