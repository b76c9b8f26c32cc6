'use client';

import { MessageCircleDashed } from 'lucide-react';
import { useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { isTemporary } from '#lib/threads/temporary.ts';

/** A label for the open thread which says that it is temporary, so it is not stored. Renders nothing for other threads. */
export function TemporaryMark() {
  const t = useMessages();
  const isShown = useThreads(({ selectedId, draftWorkspaceId }) => isTemporary(selectedId ?? draftWorkspaceId ?? ''));
  if (!isShown) return null;
  return (
    <span
      title={t.threads.temporaryHelp}
      className="inline-flex shrink-0 items-center gap-1 rounded-sm bg-sunken px-1.5 py-0.5 text-muted text-xs"
    >
      <MessageCircleDashed aria-hidden size={13} />
      {t.threads.temporary}
      <span className="sr-only">. {t.threads.temporaryHelp}</span>
    </span>
  );
}
