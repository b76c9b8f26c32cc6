'use client';

import { useEffect, useState } from 'react';
import type { EgressEntry, EgressLedger } from '#studio/web/egress-ledger.ts';
import { useStudio } from './studio-provider.tsx';

/**
 * Returns the recorded network requests of tools, of code that the person runs, and of images in answers, newest first, and
 * a function that deletes them all; undefined until they are read, or if the code for that cannot be loaded.
 */
export function useEgress(): { entries: readonly EgressEntry[]; clear(): Promise<void> } | undefined {
  const { tools } = useStudio();
  const [ledger, setLedger] = useState<EgressLedger>();
  const [entries, setEntries] = useState<readonly EgressEntry[]>([]);
  useEffect(() => {
    let isGone = false;
    let unsubscribe = (): void => undefined;
    const show = (opened: EgressLedger) => {
      if (isGone) return;
      setLedger(opened);
      setEntries(opened.state.getState());
      unsubscribe = opened.state.subscribe((all) => setEntries(all));
    };
    // If the code cannot be loaded, there is nothing to show.
    tools.egress().then(show, () => undefined);
    return () => {
      isGone = true;
      unsubscribe();
    };
  }, [tools]);
  return ledger === undefined ? undefined : { entries, clear: () => ledger.clear() };
}
