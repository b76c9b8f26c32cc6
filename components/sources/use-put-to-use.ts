import { useStudio } from '#components/hooks/studio-provider.tsx';
import { putToUse } from '#studio/sources/put-to-use.ts';

/** A function that puts a toolset of a server or an API among those of new threads, and of the open one. */
export function usePutToUse(): (toolset: string) => void {
  const studio = useStudio();
  return (toolset) => putToUse(studio, [toolset]);
}
