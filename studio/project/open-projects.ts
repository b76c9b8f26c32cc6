import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { EditorTabs } from '../editing/editor-tabs.ts';
import type { SettingsStore } from '../settings.ts';
import type { Tools } from '../tools.ts';
import type { Workspaces } from '../workspaces.ts';
import { Projects } from './projects.ts';

interface OpenProjectsOptions {
  store: ThreadStore;
  tools: Tools;
  workspaces: Workspaces;
  settings: SettingsStore;
  tabs: EditorTabs;
}

/**
 * Creates the `Projects` of the page, which reads workspaces' instructions, skills, tools, and prompts, and offers the tools.
 */
export async function openProjects({
  store,
  tools,
  workspaces,
  settings,
  tabs,
}: OpenProjectsOptions): Promise<Projects> {
  const { registry } = await tools.load();
  return new Projects({
    store,
    registry,
    open: (id) => workspaces.open(id),
    offer(id, offered, missing) {
      tools.missingTools.set(id, missing);
      tools.projectTools.setState(new Map([...tools.projectTools.getState(), [id, offered]]), true);
    },
    wanted(id) {
      const { workspaceId, files, activeId } = tabs.state.getState();
      const near = workspaceId === id ? files.find((file) => file.id === activeId)?.path : undefined;
      return { named: settings.getState().instructionFiles, near };
    },
  });
}
