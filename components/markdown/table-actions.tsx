import { Ellipsis } from 'lucide-react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { useCopying } from '#components/ui/use-copying.ts';
import { csvOf, tsvOf } from '#lib/threads/find/table-data.ts';
import { tableCells } from './table-cells.ts';

/** Copies a table: as the cells of a spreadsheet, as CSV, or as Markdown. `source`: returns its Markdown. */
export function TableActions({ source }: { source(): string }) {
  const t = useMessages();
  const texts = useMarkdownTexts();
  const [outcome, copy] = useCopying();
  const table = () => tableCells(source()) ?? [];
  return (
    <div
      data-unsearched=""
      {...(outcome !== undefined && { 'data-outcome': outcome })}
      className="absolute end-0 top-0 flex data-outcome:opacity-100 rounded-bl-md bg-surface opacity-0 focus-within:opacity-100 group-hover/table:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:static pointer-coarse:justify-end pointer-coarse:opacity-100"
    >
      <span
        role="status"
        className={`self-center px-1 text-xs ${outcome === 'copyFailed' ? 'text-failed' : 'sr-only'}`}
      >
        {outcome === undefined ? '' : t.common[outcome]}
      </span>
      <CopyButton label={texts.copyTable} text={() => tsvOf(table())} />
      <Menu
        trigger={
          <IconButton label={texts.tableActions}>
            <Ellipsis aria-hidden size={15} />
          </IconButton>
        }
        entries={[
          { label: texts.copyCsv, onSelect: () => copy(csvOf(table())) },
          { label: texts.copyMarkdown, onSelect: () => copy(source()) },
        ]}
      />
    </div>
  );
}
