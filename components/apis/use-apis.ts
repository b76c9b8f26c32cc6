import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { RestApis, ShownApi } from '#studio/sources/http-api/rest-apis.ts';

const NONE = createStore<readonly ShownApi[]>(() => []);

/** The person's HTTP APIs, and what they are changed with; undefined until the tools are loaded. */
export function useApis(): { apis: RestApis | undefined; list: readonly ShownApi[] } {
  const { tools } = useStudio();
  const [apis, setApis] = useState(tools.apis);
  useEffect(() => {
    let isCurrent = true;
    void tools.load().then((loaded) => {
      if (isCurrent) setApis(loaded.apis);
    });
    return () => {
      isCurrent = false;
    };
  }, [tools]);
  return { apis, list: useStore(apis?.state ?? NONE) };
}
