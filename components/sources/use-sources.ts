import { useEffect, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { Sources } from '#studio/sources/source-kinds.ts';

const NONE = createStore<readonly never[]>(() => []);

/** A source of this kind, as views show it. */
type Shown<Kind extends keyof Sources> = ReturnType<Sources[Kind]['state']['getState']>[number];

/** Returns the sources of every kind; undefined until the tools are loaded. */
function useLoaded(): Sources | undefined {
  const { tools } = useStudio();
  const [sources, setSources] = useState(tools.sources);
  useEffect(() => {
    let isCurrent = true;
    void tools.load().then((loaded) => {
      if (isCurrent) setSources(loaded.sources);
    });
    return () => {
      isCurrent = false;
    };
  }, [tools]);
  return sources;
}

/**
 * Returns the object that changes the tool servers or the HTTP APIs, and their list; undefined and empty until the tools'
 * code is loaded.
 */
export function useSources<Kind extends keyof Sources>(
  kind: Kind,
): { sources: Sources[Kind] | undefined; list: readonly Shown<Kind>[] } {
  const sources = useLoaded()?.[kind];
  const state = sources?.state as StoreApi<readonly Shown<Kind>[]> | undefined;
  return { sources, list: useStore<StoreApi<readonly Shown<Kind>[]>>(state ?? NONE) };
}

/**
 * Returns the names of the toolsets, one for each, of all tool servers and HTTP APIs that are turned on; empty until the
 * tools' code is loaded.
 */
export function useSourceToolsets(): readonly string[] {
  const sources = useLoaded();
  const toolsets = useSyncExternalStore(
    (onChange) => {
      const ends = kindsOf(sources).map(({ state }) => state.subscribe(onChange));
      return () => {
        for (const end of ends) end();
      };
    },
    // A text, because a snapshot must stay the same while nothing has changed.
    () => JSON.stringify(kindsOf(sources).flatMap((kind) => kind.toolsets)),
    () => '[]',
  );
  return JSON.parse(toolsets);
}

const kindsOf = (sources: Sources | undefined): Sources[keyof Sources][] => Object.values(sources ?? {});
