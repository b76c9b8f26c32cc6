import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { Tools } from '#studio/tools.ts';

const NONE = createStore<readonly never[]>(() => []);

/** Returns the object that has all sources of one kind, and its state; undefined and empty until the tools are loaded. */
export function useLoadedSources<Shown, Sources extends { state: StoreApi<readonly Shown[]> }>(
  of: (tools: Tools) => Sources | undefined,
): { sources: Sources | undefined; list: readonly Shown[] } {
  const { tools } = useStudio();
  const [sources, setSources] = useState(() => of(tools));
  useEffect(() => {
    let isCurrent = true;
    void tools.load().then(() => {
      if (isCurrent) setSources(of(tools));
    });
    return () => {
      isCurrent = false;
    };
  }, [of, tools]);
  return { sources, list: useStore<StoreApi<readonly Shown[]>>(sources?.state ?? NONE) };
}
