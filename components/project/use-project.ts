import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import type { ProjectState, Projects } from '#studio/project/projects.ts';

const NONE = createStore<ProjectState | undefined>(() => undefined);

/**
 * Returns the files of the shown workspace with instructions, skills, tools, or prompts, and which of them the person lets
 * the model use; undefined until `useProject` has read them.
 */
export function useProjectState(): ProjectState | undefined {
  const { loadProjects } = useStudio();
  const [projects, setProjects] = useState<Projects>();
  useEffect(() => {
    // If the code cannot be loaded, the state stays undefined.
    loadProjects().then(setProjects, () => undefined);
  }, [loadProjects]);
  return useStateOf(projects);
}

function useStateOf(projects: Projects | undefined): ProjectState | undefined {
  const workspace = useWorkspace();
  const state: ProjectState | undefined = useStore<StoreApi<ProjectState | undefined>>(projects?.state ?? NONE);
  return state?.workspaceId === workspace?.id ? state : undefined;
}

/**
 * Reads the files of the shown workspace with instructions, skills, tools, or prompts, and reads them again when they may
 * have changed. Returns the same state as `useProjectState`, and `projects`, the object that changes it, which is undefined
 * until its code is loaded.
 */
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
        // If that fails, the state stays as it was read last until the next change.
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
      // If the code cannot be loaded, the state stays undefined.
      () => undefined,
    );
    return () => {
      isCurrent = false;
      leave?.();
    };
  }, [loadProjects, workspace, tabs, settings]);
  return { projects, state: useStateOf(projects) };
}
