import { useStudio } from '#components/hooks/studio-provider.tsx';
import { toolsetOf } from '#lib/tools/toolset-names.ts';

/** A function that puts a server's tools among those of new threads, and of the open one. */
export function usePutToUse(): (name: string) => void {
  const { settings, threads } = useStudio();
  return (name) => {
    const toolset = toolsetOf(name);
    const withIt = (toolsets: readonly string[]) => [...new Set([...toolsets, toolset])];
    void settings.change({ toolsets: withIt(settings.getState().toolsets) });
    const { session, draft } = threads.state.getState();
    const { toolsets } = session?.getSnapshot().thread.settings ?? draft;
    void threads.changeSettings({ toolsets: withIt(toolsets) });
  };
}
