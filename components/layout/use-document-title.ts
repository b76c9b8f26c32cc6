'use client';

import { useEffect } from 'react';
import { useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';

/** Shows the open thread's title in the title bar, and marks it while any thread waits for the user. */
export function useDocumentTitle(): void {
  const t = useMessages();
  const title = useThreads(({ threads, selectedId }) => threads.find(({ id }) => id === selectedId)?.title ?? '');
  const isAsking = useThreads(({ threads }) => threads.some(({ activity }) => activity === 'asking'));
  useEffect(() => {
    const mark = isAsking ? [t.threads.activity.asking] : [];
    document.title = [...mark, ...(title === '' ? [] : [title]), t.studio.name].join(' · ');
  }, [t, title, isAsking]);
}
