import { useStudio } from '#components/hooks/studio-provider.tsx';

/** A function that puts a toolset of a server or an API among those of new threads, and of the open one. */
export function usePutToUse(): (toolset: string) => void {
  const { settings, threads } = useStudio();
  return (toolset) => {
    const withIt = (toolsets: readonly string[]) => [...new Set([...toolsets, toolset])];
    void settings.change({ toolsets: withIt(settings.getState().toolsets) });
    const { session, draft } = threads.state.getState();
    const { toolsets } = session?.getSnapshot().thread.settings ?? draft;
    void threads.changeSettings({ toolsets: withIt(toolsets) });
  };
}
