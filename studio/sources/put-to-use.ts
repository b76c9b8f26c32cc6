import type { SettingsStore } from '../settings.ts';
import type { Threads } from '../threads.ts';

/**
 * Turns on toolsets, such as those of new tool servers, in new threads and in the open one. `added`: the names of the
 * toolsets.
 */
export function putToUse(
  { settings, threads }: { settings: SettingsStore; threads: Threads },
  added: readonly string[],
): void {
  const withThem = (toolsets: readonly string[]) => [...new Set([...toolsets, ...added])];
  void settings.change({ toolsets: withThem(settings.getState().toolsets) });
  const { session, draft } = threads.state.getState();
  const { toolsets } = session?.getSnapshot().thread.settings ?? draft;
  void threads.changeSettings({ toolsets: withThem(toolsets) });
}
