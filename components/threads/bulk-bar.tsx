'use client';

import { Archive, ArchiveRestore, Download, FolderInput, Trash2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { focusComposerIfNoFocus, hasNothingFocus } from '#components/ui/focus.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { useListActions } from './list-actions.ts';
import { useThreadCommands } from './use-thread-commands.ts';

/** The bar of commands for the selected threads. Esc ends the selection if the focus is in the list or nowhere. */
export default function BulkBar({ threads }: { threads: readonly Thread[] }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const { ask, clearSelection } = useListActions();
  const { arrange, exportAll, remove } = useThreadCommands();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const list = bar.current?.parentElement;
      if (!hasNothingFocus() && list?.contains(document.activeElement) !== true) return;
      event.preventDefault();
      clearSelection();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [clearSelection]);
  const areArchived = threads.every(({ archivedAt }) => archivedAt !== undefined);
  const end = () => {
    clearSelection();
    focusComposerIfNoFocus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={texts.selection}
      className="flex flex-wrap items-center gap-1 border-line border-t p-2"
    >
      <span role="status" className="shrink-0 grow pl-1 text-sm">
        {texts.selected(threads.length)}
      </span>
      <IconButton
        size="small"
        label={areArchived ? texts.unarchive : texts.archive}
        onClick={() => {
          void arrange(threads, areArchived ? 'unarchive' : 'archive');
          end();
        }}
      >
        {areArchived ? <ArchiveRestore aria-hidden size={15} /> : <Archive aria-hidden size={15} />}
      </IconButton>
      <IconButton size="small" label={texts.move} onClick={() => ask({ type: 'move', threads })}>
        <FolderInput aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={texts.export} onClick={() => exportAll(threads)}>
        <Download aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={t.common.delete} onClick={() => void remove(threads)}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={t.common.cancel} onClick={end}>
        <X aria-hidden size={15} />
      </IconButton>
    </div>
  );
}
