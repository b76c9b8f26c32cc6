'use client';

import { useEffect, useRef, useState } from 'react';
import type { Message } from '#lib/messages/message.ts';
import { findMatches, type Match } from '#lib/threads/find/find.ts';

/** The interval between two searches of a changing branch, in milliseconds: an answer is written in many pieces. */
const SEARCH_EVERY_MS = 200;

interface Result {
  query: string;
  matches: readonly Match[];
}

/**
 * Returns the matches of `query` in the open branch, which is searched again when it has changed; undefined until the first
 * search for this query is over.
 */
export function useMatches(branch: readonly Message[], query: string): readonly Match[] | undefined {
  const [result, setResult] = useState<Result>();
  const current = useRef(branch);
  useEffect(() => {
    current.current = branch;
  }, [branch]);
  useEffect(() => {
    const stop = new AbortController();
    let searched: readonly Message[] | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const search = async () => {
      const now = current.current;
      if (now !== searched) {
        // It rejects only when it is aborted.
        const matches = await findMatches(now, query, stop.signal).catch(() => undefined);
        if (stop.signal.aborted) return;
        searched = now;
        if (matches !== undefined) setResult({ query, matches });
      }
      timer = setTimeout(() => void search(), SEARCH_EVERY_MS);
    };
    void search();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [query]);
  return result?.query === query ? result.matches : undefined;
}
