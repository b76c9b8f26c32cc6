'use client';

import { AuiConfig, AuiProvider, ExternalThread, type ExternalThreadProps } from '@assistant-ui/react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { attachmentAdapter } from './attachments.ts';
import { toThreadMessage } from './convert-message.ts';
import type { ModelsState } from './models.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import type { Settings } from './settings.ts';
import { shownSession } from './shown-session.ts';
import type { StorageUse } from './storage-meter.ts';
import type { Studio } from './studio.ts';
import type { ThreadsState } from './threads.ts';
import { toUserMessage } from './user-message.ts';
import type { WorkspacesState } from './workspaces.ts';

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
export const useThreads = <T,>(select: (threads: ThreadsState) => T): T => useStore(useStudio().threads.state, select);

export const useStorage = <T,>(select: (use: StorageUse) => T): T => useStore(useStudio().storage.state, select);
export const useMoveQuestion = () => useStore(useStudio().moveQuestions.state, ({ asked }) => asked);
export const useMovedFiles = () => useStore(useStudio().moveQuestions.state, ({ moved }) => moved);
export const useWorkspaces = <T,>(select: (workspaces: WorkspacesState) => T): T =>
  useStore(useStudio().workspaces.state, select);
/** The workspace whose files are shown; undefined while it is opening. */
export const useWorkspace = (): OpenedWorkspace | undefined => useWorkspaces(({ shown }) => shown);

const NEVER = () => () => undefined;

/** Selects from a session's shown snapshot; undefined without a session. */
export function useSession<T>(
  session: ThreadSession | undefined,
  select: (snapshot: ThreadSnapshot) => T,
): T | undefined {
  const shown = session === undefined ? undefined : shownSession(session);
  const getSelection = () => (shown === undefined ? undefined : select(shown.getSnapshot()));
  return useSyncExternalStore(shown?.subscribe ?? NEVER, getSelection, () => undefined);
}

const selectBranch = (snapshot: ThreadSnapshot) => snapshot.branch;
const selectBusy = (snapshot: ThreadSnapshot) => snapshot.busy;
const selectTree = (snapshot: ThreadSnapshot) => snapshot.tree;
const NO_MESSAGES: readonly never[] = [];

/** Connects the open thread to assistant-ui's primitives. The session is the source of truth; they only show it. */
export function ThreadRuntimeProvider({ children }: { children: ReactNode }) {
  const { threads, storage } = useStudio();
  const session = useThreads((state) => state.session);
  const selectedId = useThreads((state) => state.selectedId);
  const branch = useSession(session, selectBranch) ?? NO_MESSAGES;
  const tree = useSession(session, selectTree);
  const busy = useSession(session, selectBusy) ?? false;
  const messages = useMemo(() => branch.map(toThreadMessage), [branch]);

  const send = useCallback(
    (message: Parameters<typeof toUserMessage>[0]) => {
      void storage.askToPersist();
      return threads.send(toUserMessage(message));
    },
    [threads, storage],
  );
  const branches = useMemo<ExternalThreadProps['branches']>(
    () => ({
      getBranches: (id) => tree?.siblings(id) ?? [],
      switchToBranch: (id) => void session?.switchBranch(id),
    }),
    [tree, session],
  );
  const queue = useMemo<ExternalThreadProps['queue']>(
    () => ({
      items: [],
      steerItems: [],
      enqueue: (message) => void send(message),
      steer: (message) => void send(message),
      move: () => undefined,
      edit: () => undefined,
      remove: () => undefined,
    }),
    [send],
  );
  const config = AuiConfig({
    thread: ExternalThread({
      messages,
      isRunning: busy,
      isLoading: selectedId !== null && session === undefined,
      queue,
      branches,
      attachmentAdapter,
      onEdit: (message) => {
        if (message.sourceId !== null) void threads.edit(message.sourceId, toUserMessage(message));
      },
      onReload: () => undefined,
      onCancel: () => void session?.stop(),
    }),
  });
  return <AuiProvider config={config}>{children}</AuiProvider>;
}
