'use client';

import { useEffect } from 'react';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { focusComposerIfNoFocus } from '#components/ui/focus.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { putBack } from '#studio/arrange-threads.ts';
import { UNDO_DELETE_MS } from '#studio/thread-trash.ts';
import { useListActions } from './list-actions.ts';

/**
 * Says which threads were deleted or archived last, and offers to undo that. `archived`: the threads as they were before
 * they were archived.
 */
export default function ListNotices({ archived }: { archived: readonly Thread[] }) {
  const texts = useThreadTexts();
  const { store, threads } = useStudio();
  const { noteArchived } = useListActions();
  const deleted = useThreads((state) => state.justDeleted);
  useEffect(() => {
    if (archived.length === 0) return;
    const timer = setTimeout(() => noteArchived([]), UNDO_DELETE_MS);
    return () => clearTimeout(timer);
  }, [archived, noteArchived]);
  return (
    <>
      <Notice threads={deleted} one={texts.deleted} many={texts.deletedMany} onUndo={() => void threads.undoDelete()} />
      <Notice
        threads={archived}
        one={texts.archived}
        many={texts.archivedMany}
        onUndo={() => {
          void putBack(store, archived);
          noteArchived([]);
          focusComposerIfNoFocus();
        }}
      />
    </>
  );
}

interface NoticeProps {
  threads: readonly Thread[];
  one(title: string): string;
  many(count: number): string;
  onUndo(): void;
}

function Notice({ threads, one, many, onUndo }: NoticeProps) {
  const t = useMessages();
  const [first] = threads;
  if (first === undefined) return null;
  return (
    <p className="mb-2 flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-sm">
      <span className="min-w-0 flex-1 truncate">
        {threads.length === 1 ? one(first.title || t.threads.untitled) : many(threads.length)}
      </span>
      <Button onClick={onUndo}>{t.common.undo}</Button>
    </p>
  );
}
