'use client';

import { useEffect, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { findTexts } from '#components/i18n/find-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { Thread } from '#lib/threads/thread.ts';
import { continuesQuery, type FoundThread, searchThreads, THREADS_MAX } from '#studio/thread-search.ts';

/** The pause in typing after which the search starts, in milliseconds. */
const WAIT_MS = 200;

interface FoundMessagesProps {
  query: string;
  /** The threads to search, in the order in which they are listed. */
  threads: readonly Thread[];
}

/** Searches the messages of threads, and lists those that contain the query, by thread. */
export default function FoundMessages({ query, threads }: FoundMessagesProps) {
  const t = useMessages();
  const texts = t.find ?? findTexts;
  const { store } = useStudio();
  const { openMessage } = useWorkbench();
  const [result, setResult] = useState<{ found: FoundThread[]; isComplete: boolean }>({ found: [], isComplete: false });
  // Threads that change while something is searched for are found once the search is emptied and begun again.
  const [searched] = useState(threads);
  /** The last complete search, and the threads it found. A query that only continues it needs to search only these. */
  const last = useRef<{ query: string; threads: readonly Thread[] }>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    setResult({ found: [], isComplete: false });
    const timer = setTimeout(async () => {
      const found: FoundThread[] = [];
      const isFurther = last.current !== undefined && continuesQuery(query, last.current.query);
      const among = isFurther ? (last.current?.threads ?? []) : searched;
      for await (const thread of searchThreads(store, among, query, stop.signal)) {
        found.push(thread);
        if (!stop.signal.aborted) setResult({ found: [...found], isComplete: false });
      }
      if (stop.signal.aborted) return;
      if (found.length < THREADS_MAX) last.current = { query, threads: found.map(({ thread }) => thread) };
      setResult({ found, isComplete: true });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [store, searched, query]);
  const { found, isComplete } = result;
  const present = found.filter(({ thread }) => threads.some(({ id }) => id === thread.id));
  return (
    <section aria-label={texts.inMessages} aria-busy={!isComplete} className="pb-2">
      <h2 className="px-2 pt-3 pb-1 font-semibold text-muted text-xs">{texts.inMessages}</h2>
      <p role="status" className="px-2 text-muted text-sm empty:hidden">
        {isComplete ? (present.length === 0 ? texts.nothing : '') : texts.searching}
      </p>
      <ul>
        {present.map(({ thread, lines, more }) => (
          <li key={thread.id} className="mb-1">
            <p className="truncate px-2 text-muted text-xs">{thread.title || t.threads.untitled}</p>
            <ul>
              {lines.map(({ messageId, line }) => (
                <li key={messageId}>
                  <button
                    type="button"
                    onClick={() => openMessage(thread.id, messageId, query)}
                    className="line-clamp-2 w-full break-words rounded-md px-2 py-1 text-left text-sm hover:bg-hover"
                  >
                    {line.before}
                    <mark className="bg-[var(--found)] text-[var(--found-text)]">{line.match}</mark>
                    {line.after}
                  </button>
                </li>
              ))}
            </ul>
            {more === undefined ? null : (
              <button
                type="button"
                onClick={() => openMessage(thread.id, more.messageId, query)}
                className="w-full rounded-md px-2 py-1 text-left text-muted text-xs hover:bg-hover"
              >
                {texts.more(more.count)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
