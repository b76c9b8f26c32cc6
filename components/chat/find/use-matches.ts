'use client';

import { useEffect, useState } from 'react';
import { findMatches, type Match } from '#lib/find/find.ts';
import type { Message } from '#lib/messages/message.ts';

/** How long a change of the branch waits before it is searched, in milliseconds: an answer is written in many pieces. */
const SEARCH_EVERY_MS = 200;

interface Result {
  query: string;
  matches: readonly Match[];
}

/** What is found in the branch; undefined until the query has been searched for. */
export function useMatches(branch: readonly Message[], query: string): readonly Match[] | undefined {
  const [result, setResult] = useState<Result>();
  const isNew = result?.query !== query;
  useEffect(() => {
    const stop = new AbortController();
    const search = () =>
      findMatches(branch, query, stop.signal).then(
        (matches) => {
          if (!stop.signal.aborted) setResult({ query, matches });
        },
        () => undefined,
      );
    const timer = setTimeout(() => void search(), isNew ? 0 : SEARCH_EVERY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [branch, query, isNew]);
  return isNew ? undefined : result.matches;
}
