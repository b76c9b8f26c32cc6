'use client';

import {
  type AppendMessage,
  AuiConfig,
  AuiProvider,
  ExternalThread,
  type ExternalThreadProps,
} from '@assistant-ui/react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useSession, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import { attachmentAdapter, loadFileCode } from './attachments.ts';
import { toUserMessage } from './user-message.ts';

const selectBusy = (snapshot: ThreadSnapshot) => snapshot.busy;
const NO_MESSAGES: readonly never[] = [];

/**
 * Connects the message box of the open thread to assistant-ui. The thread's session is the source of truth, and
 * assistant-ui's components only show it. Messages are not passed to assistant-ui here: `MessageScope` does that for each
 * message whose row is rendered.
 */
export function ThreadRuntimeProvider({ children }: { children: ReactNode }) {
  const { threads, storage, workspaces } = useStudio();
  const session = useThreads((state) => state.session);
  const selectedId = useThreads((state) => state.selectedId);
  const busy = useSession(session, selectBusy) ?? false;

  const send = useCallback(
    async (message: AppendMessage) => {
      void storage.askToPersist();
      const sent = toUserMessage(message);
      const { attachments = [] } = message;
      if (attachments.length === 0) return threads.send(sent);
      const { sendWithFiles } = await loadFileCode();
      return sendWithFiles(sent, attachments, { threads, workspaces });
    },
    [threads, storage, workspaces],
  );
  /**
   * The queue to which assistant-ui hands every message: to `steer` while an answer is running, otherwise to `enqueue`. It
   * never holds any: both hand the message to `send`, and the session decides whether the message waits.
   */
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
      messages: NO_MESSAGES,
      isRunning: busy,
      isLoading: selectedId !== null && session === undefined,
      queue,
      attachmentAdapter,
      onCancel: () => void session?.stop(),
    }),
  });
  return <AuiProvider config={config}>{children}</AuiProvider>;
}
