'use client';

import { useEffect, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { CompletionRequest } from '#lib/sources/mcp/completion.ts';

/** The pause in typing after which a server is asked, in milliseconds. */
const PAUSE_MS = 200;

/**
 * Returns `ask`, which gets a tool server's suggestions for an argument of the prompt or resource template `of` after a
 * pause in typing, and `suggestionsFor`, which returns them; empty for all arguments but the one whose suggestions arrived
 * last.
 */
export function useSuggestions(server: string, of: CompletionRequest['of']) {
  const { tools } = useStudio();
  const [found, setFound] = useState<{ name: string; values: readonly string[] }>();
  const asking = useRef<AbortController>(undefined);
  /** Whether the server has failed to answer. It is not asked again then. */
  const hasFailed = useRef(false);
  useEffect(() => () => asking.current?.abort(), []);
  /** Asks for suggestions for an argument, after a pause in typing. `known`: the values of all arguments so far. */
  const ask = (name: string, value: string, known: ReadonlyMap<string, string>): void => {
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    const { signal } = controller;
    const others = [...known].filter(([other, text]) => other !== name && text !== '');
    const request = { of, argument: { name, value }, known: Object.fromEntries(others) };
    setTimeout(async () => {
      if (signal.aborted || hasFailed.current) return;
      const { servers } = (await tools.load()).sources;
      const answer = await servers.calls.complete(server, request, signal);
      if (signal.aborted) return;
      hasFailed.current = 'problem' in answer;
      // The person should not fill in invisible characters.
      const values = 'problem' in answer ? [] : answer.values.filter((one) => visibleText(one) === one);
      setFound({ name, values });
    }, PAUSE_MS);
  };
  const suggestionsFor = (name: string): readonly string[] => (found?.name === name ? found.values : []);
  return { ask, suggestionsFor };
}
