import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import type { ProjectState, Projects } from '#studio/project/projects.ts';

const NONE = createStore<ProjectState | undefined>(() => undefined);

/** What the shown workspace tells the model, and what it is changed with; undefined until that is known. */
export function useProject(): { projects: Projects | undefined; state: ProjectState | undefined } {
  const { loadProjects, tabs, settings } = useStudio();
  const workspace = useWorkspace();
  const [projects, setProjects] = useState<Projects>();
  useEffect(() => {
    if (workspace === undefined) return;
    let isCurrent = true;
    let leave: (() => void) | undefined;
    loadProjects().then(
      (loaded) => {
        if (!isCurrent) return;
        setProjects(loaded);
        const refresh = () => void loaded.refresh().catch(() => undefined);
        void loaded.show(workspace).catch(() => undefined);
        const leaves = [
          tabs.state.subscribe((now, before) => now.activeId !== before.activeId && refresh()),
          settings.subscribe((now, before) => now.instructionFiles !== before.instructionFiles && refresh()),
        ];
        leave = () => {
          for (const one of leaves) one();
        };
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
      leave?.();
    };
  }, [loadProjects, workspace, tabs, settings]);
  const state: ProjectState | undefined = useStore<StoreApi<ProjectState | undefined>>(projects?.state ?? NONE);
  return { projects, state: state?.workspaceId === workspace?.id ? state : undefined };
}
