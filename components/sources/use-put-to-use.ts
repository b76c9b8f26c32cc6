import { useStudio } from '#components/hooks/studio-provider.tsx';
import { putToUse } from '#studio/sources/put-to-use.ts';

/**
 * Returns a function that turns a toolset, such as the tools of a server that was just added, on in new threads and in the
 * open one.
 */
export function usePutToUse(): (toolset: string) => void {
  const studio = useStudio();
  return (toolset) => putToUse(studio, [toolset]);
}
