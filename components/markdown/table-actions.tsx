import { Ellipsis } from 'lucide-react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { copyText } from '#components/ui/copy-text.ts';
import { Menu } from '#components/ui/menu.tsx';
import { csvOf, tableData, tsvOf } from '#lib/threads/find/table-data.ts';

/** Copies a table: as the cells of a spreadsheet, as CSV, or as Markdown. `source`: returns its Markdown. */
export function TableActions({ source }: { source(): string }) {
  const texts = useMarkdownTexts();
  const table = () => tableData(source()) ?? [];
  return (
    <div
      data-unsearched=""
      className="absolute end-0 top-0 flex rounded-bl-md bg-surface opacity-0 focus-within:opacity-100 group-hover/table:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:static pointer-coarse:justify-end pointer-coarse:opacity-100"
    >
      <CopyButton label={texts.copyTable} text={() => tsvOf(table())} />
      <Menu
        trigger={
          <IconButton label={texts.tableActions}>
            <Ellipsis aria-hidden size={15} />
          </IconButton>
        }
        entries={[
          { label: texts.copyCsv, onSelect: () => void copyText(csvOf(table())) },
          { label: texts.copyMarkdown, onSelect: () => void copyText(source()) },
        ]}
      />
    </div>
  );
}
