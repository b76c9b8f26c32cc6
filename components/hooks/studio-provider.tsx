'use client';

import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { ThreadSettings } from '#lib/threads/thread.ts';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ConnectionsState } from '#studio/connections/connections.ts';
import type { ModelRecord } from '#studio/model-records.ts';
import type { ModelsState } from '#studio/models.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import type { Settings } from '#studio/settings.ts';
import type { StorageUse } from '#studio/storage-meter.ts';
import type { Studio } from '#studio/studio.ts';
import type { ThreadFolder } from '#studio/thread-folders.ts';
import type { ThreadsState } from '#studio/threads-state.ts';
import type { WorkspaceTreeState } from '#studio/workspace-tree.ts';
import type { WorkspacesState } from '#studio/workspaces.ts';
import { shownSession } from './shown-session.ts';

const StudioContext = createContext<Studio | undefined>(undefined);

/** Provides the studio to the views below. Its value never changes, so it never causes a render. */
export function StudioProvider({ studio, children }: { studio: Studio; children: ReactNode }) {
  return <StudioContext value={studio}>{children}</StudioContext>;
}

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === undefined) throw new Error('useStudio needs a StudioProvider above it.');
  return studio;
}

export const useSettings = <T,>(select: (settings: Settings) => T): T =>
  useStore(useStudio().settings as StoreApi<Settings>, select);
export const useModels = <T,>(select: (models: ModelsState) => T): T =>
  useStore(useStudio().models as StoreApi<ModelsState>, select);
export const useConnections = <T,>(select: (connections: ConnectionsState) => T): T =>
  useStore(useStudio().connections.state, select);
/**
 * Returns what this browser has stored about a model, such as the person's choices; undefined if there is nothing.
 * `endpoint`: the name of the model's endpoint, as in `ModelInfo`.
 */
export const useModelRecord = (endpoint: string): ModelRecord | undefined =>
  useStore(useStudio().modelRecords.state, (records) =>
    Object.hasOwn(records, endpoint) ? records[endpoint] : undefined,
  );
export const useThreads = <T,>(select: (threads: ThreadsState) => T): T => useStore(useStudio().threads.state, select);

/** The folders of the list of threads. */
export const useThreadFolders = (): readonly ThreadFolder[] =>
  useStore(useStudio().threadFolders.state, ({ folders }) => folders);

export const useStorage = <T,>(select: (use: StorageUse) => T): T => useStore(useStudio().storage.state, select);
export const useMoveQuestion = () => useStore(useStudio().moveQuestions.state, ({ asked }) => asked);
export const useMovedFiles = () => useStore(useStudio().moveQuestions.state, ({ moved }) => moved);
/** The code of an answer that the preview shows; undefined if it shows a workspace. */
export const usePreviewedCode = () => useStore(useStudio().previews.code, ({ shown }) => shown);
export const useWorkspaces = <T,>(select: (workspaces: WorkspacesState) => T): T =>
  useStore(useStudio().workspaces.state, select);
export const useWorkspaceTree = <T,>(select: (tree: WorkspaceTreeState) => T): T => useStore(useStudio().tree, select);
/** The workspace whose files are shown; undefined while it is opening. */
export const useWorkspace = (): OpenedWorkspace | undefined => useWorkspaces(({ shown }) => shown);

/** Makes the editor show the tabs of the shown workspace. Returns whether it has any. */
export function useTabsOfWorkspace(): boolean {
  const { tabs } = useStudio();
  const workspaceId = useWorkspace()?.id;
  useEffect(() => {
    if (workspaceId !== undefined) tabs.showWorkspace(workspaceId);
  }, [tabs, workspaceId]);
  return useStore(tabs.state, ({ files }) => files.length > 0);
}

const NO_TOOLS: readonly Tool[] = [];

/** The tools of this page and of the shown workspace, updated as they change. Suspends until the tools' code is loaded. */
export function useTools(): ToolIndex<Tool> {
  const { tools } = useStudio();
  const { registry } = use(tools.load());
  const subscribe = useCallback((listener: () => void) => registry.subscribe(listener), [registry]);
  const getIndex = () => registry.index;
  const index = useSyncExternalStore(subscribe, getIndex, getIndex);
  const workspaceId = useWorkspace()?.id ?? '';
  const brought = useStore(tools.projectTools, (all) => all.get(workspaceId) ?? NO_TOOLS);
  return useMemo(() => index.with(brought), [index, brought]);
}

const NEVER = () => () => undefined;

/**
 * Returns what `select` picks from the snapshot of a session, and updates when that changes; undefined without a session.
 * All views share one snapshot (`shownSession`).
 */
export function useSession<T>(
  session: ThreadSession | undefined,
  select: (snapshot: ThreadSnapshot) => T,
): T | undefined {
  const shown = session === undefined ? undefined : shownSession(session);
  const getSelection = () => (shown === undefined ? undefined : select(shown.getSnapshot()));
  return useSyncExternalStore(shown?.subscribe ?? NEVER, getSelection, () => undefined);
}

/** The settings of the open thread, or of the next new one. */
export function useCurrentSettings(): ThreadSettings {
  const session = useThreads((state) => state.session);
  const draft = useThreads((state) => state.draft);
  return useSession(session, (snapshot) => snapshot.thread.settings) ?? draft;
}

/** The id of the model in use: the open thread's, else the user's default, else the server's; null if there is none. */
export function useCurrentModelId(): string | null {
  const settings = useCurrentSettings();
  const preferred = useSettings(({ defaultModel }) => defaultModel);
  const fallback = useModels(({ list }) => list?.defaultModel ?? null);
  return settings.model ?? preferred ?? fallback;
}
