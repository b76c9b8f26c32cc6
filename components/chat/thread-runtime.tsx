'use client';

import { AuiConfig, AuiProvider, ExternalThread, type ExternalThreadProps } from '@assistant-ui/react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useSession, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import { attachmentAdapter } from './attachments.ts';
import { toThreadMessage } from './convert-message.ts';
import { toUserMessage } from './user-message.ts';

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
