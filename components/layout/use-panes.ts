'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio, useThreads, useWorkspaces, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { createLayoutStore, type HidablePane, type WidthLayout, withLayout, withWorkspace } from './layout-store.ts';
import { useWindowWidth, type Width } from './use-window-width.ts';

interface Panes {
  width: Width;
  /** The id of the workspace of the open thread, or of the new one. */
  workspaceId: string;
  layout: WidthLayout;
  isWorkspaceShown: boolean;
  /** Shows or hides a pane, or toggles it without `isShown`. Does nothing in a narrow window. */
  show(pane: HidablePane, isShown?: boolean): void;
  /** Stores the width of a pane, in percent. */
  resize(pane: HidablePane, size: number): void;
}

/**
 * Returns which panes are shown at this window's width, and how wide they are, with functions that change both. The
 * workspace opens automatically when it gets its first file, or cannot be opened, unless the person has shown or hidden it
 * before.
 */
export function usePanes(): Panes {
  const { threads } = useStudio();
  const width = useWindowWidth();
  const [store] = useState(createLayoutStore);
  const workspaceId = useWorkspaceId();
  const wide = width === 'narrow' ? 'medium' : width;
  const layout = useStore(store, ({ layouts }) => layouts[wide]);
  const choice = useStore(store, ({ workspaces }) =>
    Object.hasOwn(workspaces, workspaceId) ? workspaces[workspaceId] : undefined,
  );
  const hasProblem = useWorkspaces((state) => state.problem !== undefined);
  const hasFiles = useWorkspaceTree((tree) => tree.workspaceId === workspaceId && (tree.items?.size ?? 0) > 1);
  const show = useCallback(
    (pane: HidablePane, isShown?: boolean) => {
      if (width === 'narrow') return;
      store.setState((state) => {
        if (pane === 'workspace') {
          const id = threads.workspaceId;
          const isOpen = Object.hasOwn(state.workspaces, id) && state.workspaces[id] === true;
          return withWorkspace(state, id, isShown ?? !isOpen);
        }
        return withLayout(state, width, (before) => ({
          [pane]: { ...before[pane], isShown: isShown ?? !before[pane].isShown },
        }));
      });
    },
    [store, width, threads],
  );
  const resize = useCallback(
    (pane: HidablePane, size: number) =>
      store.setState((state) =>
        withLayout(state, wide, (before) =>
          pane === 'workspace' ? { workspaceSize: size } : { [pane]: { ...before[pane], size } },
        ),
      ),
    [store, wide],
  );
  useEffect(() => {
    if ((hasFiles || hasProblem) && choice === undefined) show('workspace', true);
  }, [hasFiles, hasProblem, choice, show]);
  const isWorkspaceShown = choice === true;
  return useMemo(
    () => ({ width, workspaceId, layout, isWorkspaceShown, show, resize }),
    [width, workspaceId, layout, isWorkspaceShown, show, resize],
  );
}

/** The id of the workspace of the open thread, or of the new one. */
function useWorkspaceId(): string {
  const draftId = useWorkspaces((state) => state.draftId);
  const chosen = useThreads(
    ({ threads, selectedId, draftWorkspaceId }) =>
      threads.find(({ id }) => id === selectedId)?.workspaceId ?? draftWorkspaceId,
  );
  return chosen ?? draftId;
}
