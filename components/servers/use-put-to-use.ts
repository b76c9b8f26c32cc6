import { useStudio } from '#components/hooks/studio-provider.tsx';
import { putToUse } from '#studio/mcp/put-to-use.ts';

/** A function that puts a server's tools among those of new threads, and of the open one. */
export function usePutToUse(): (name: string) => void {
  const studio = useStudio();
  return (name) => putToUse(studio, [name]);
}
