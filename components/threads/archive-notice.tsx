'use client';

import { useEffect } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { catchFocus } from '#components/ui/focus.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { putBack } from '#studio/arrange-threads.ts';
import { UNDO_DELETE_MS } from '#studio/thread-trash.ts';
import { useListActions } from './list-actions.ts';

/**
 * Says which threads were archived, given as they were before, and offers to undo it. It stays as long as the notice of
 * deleted threads.
 */
export default function ArchiveNotice({ threads }: { threads: readonly Thread[] }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const { store } = useStudio();
  const { noteArchived } = useListActions();
  useEffect(() => {
    const timer = setTimeout(() => noteArchived(undefined), UNDO_DELETE_MS);
    return () => clearTimeout(timer);
  }, [noteArchived]);
  const [first, ...others] = threads;
  if (first === undefined) return null;
  const undo = () => {
    void putBack(store, threads);
    noteArchived(undefined);
    catchFocus();
  };
  return (
    <p className="mb-2 flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-sm">
      <span className="min-w-0 flex-1 truncate">
        {others.length === 0
          ? texts.archived(first.title || t.threads.untitled)
          : texts.archivedMany(others.length + 1)}
      </span>
      <Button onClick={undo}>{t.common.undo}</Button>
    </p>
  );
}
