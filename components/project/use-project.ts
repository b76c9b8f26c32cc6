import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import type { ProjectState, Projects } from '#studio/project/projects.ts';

const NONE = createStore<ProjectState | undefined>(() => undefined);

/** Returns what the shown workspace tells the model, as far as that is known. */
export function useProjectState(): ProjectState | undefined {
  const { loadProjects } = useStudio();
  const [projects, setProjects] = useState<Projects>();
  useEffect(() => {
    // Without its code, nothing is known.
    loadProjects().then(setProjects, () => undefined);
  }, [loadProjects]);
  return useStateOf(projects);
}

function useStateOf(projects: Projects | undefined): ProjectState | undefined {
  const workspace = useWorkspace();
  const state: ProjectState | undefined = useStore<StoreApi<ProjectState | undefined>>(projects?.state ?? NONE);
  return state?.workspaceId === workspace?.id ? state : undefined;
}

/** The same, with what it is changed with. Reads the project's files, and reads them again when they change. */
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
        // It stays as it was read last; the next change reads it again.
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
      // Without its code, nothing is known.
      () => undefined,
    );
    return () => {
      isCurrent = false;
      leave?.();
    };
  }, [loadProjects, workspace, tabs, settings]);
  return { projects, state: useStateOf(projects) };
}
