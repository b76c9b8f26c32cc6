'use client';

import {
  AuiConfig,
  AuiProvider,
  ExternalThread,
  type ExternalThreadProps,
  ThreadPrimitive,
  useAui,
} from '@assistant-ui/react';
import { memo, type ReactNode, useMemo } from 'react';
import { useSession, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import type { Message } from '#lib/messages/message.ts';
import { damageOf } from '#lib/messages/readable.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { AssistantMessage } from '../assistant-message.tsx';
import { attachmentAdapter } from '../attachments.ts';
import { toThreadMessage } from '../convert-message.ts';
import { toUserMessage } from '../user-message.ts';
import { UserMessage } from '../user-message.tsx';

interface MessageRowProps {
  message: Message;
  /** The thread's session; undefined while the thread is opening and only its last messages are loaded. */
  session: ThreadSession | undefined;
  /** The message's position in the open branch, from 1; undefined while only the last messages are loaded. */
  position: number | undefined;
  /** The number of messages in the open branch. */
  total: number;
}

/**
 * A message in the list. If it cannot be rendered, an error is shown in its place. `position`, `total`: its number in the
 * open branch, from 1, and the number of all messages there, for screen readers.
 */
export const MessageRow = memo(function MessageRow({ message, session, position, total }: MessageRowProps) {
  const t = useAllMessages();
  const damage = damageOf(message);
  const isUser = message.role === 'user';
  const name = isUser ? t.messages.you : t.messages.assistant;
  return (
    <article
      aria-label={name}
      aria-posinset={position}
      aria-setsize={position === undefined ? -1 : total}
      tabIndex={-1}
      data-message-id={message.id}
      data-status={isUser ? undefined : message.status.type}
      className="group/message relative my-4 outline-offset-4"
    >
      <h3 className="mb-1 font-semibold text-muted text-xs [&+*]:mt-0">{name}</h3>
      <ErrorBoundary resetKey={message}>
        {damage === undefined ? null : <DamagedMessage stored={damage} />}
        <MessageScope message={message} session={session}>
          <ThreadPrimitive.MessageByIndex index={0} components={COMPONENTS} />
        </MessageScope>
      </ErrorBoundary>
    </article>
  );
});

/** Shown in place of a message that could not be read from the browser's storage. */
function DamagedMessage({ stored }: { stored: string }) {
  const t = useAllMessages();
  return (
    <div role="note" className="my-2 rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
      <p className="font-medium">{t.messages.damaged}</p>
      <p className="mt-1">{t.messages.damagedDetail}</p>
      {stored === '' ? null : (
        <div className="mt-2">
          <CopyButton label={t.messages.copyStored} text={() => stored} withText />
        </div>
      )}
    </div>
  );
}

const COMPONENTS = { UserMessage, AssistantMessage };

/**
 * Lets assistant-ui's primitives work on one message, as if it were a thread of its own. In a thread of all messages
 * each piece of an answer would cost as much as the thread is long.
 */
function MessageScope({
  message,
  session,
  children,
}: Omit<MessageRowProps, 'position' | 'total'> & { children: ReactNode }) {
  const { threads } = useStudio();
  const siblings = useSession(session, ({ tree }) => tree.siblings(message.id));
  const branches = useMemo<ExternalThreadProps['branches']>(
    () => ({
      getBranches: () => siblings ?? [],
      switchToBranch: (id) => void session?.switchBranch(id),
    }),
    [siblings, session],
  );
  const aui = useAui();
  const config = AuiConfig({
    thread: ExternalThread({
      messages: [toThreadMessage(message)],
      branches,
      attachmentAdapter,
      onEdit: (edited) => {
        if (edited.sourceId !== null) void threads.edit(edited.sourceId, toUserMessage(edited));
      },
    }),
  });
  return (
    <AuiProvider extends={aui} config={config}>
      {children}
    </AuiProvider>
  );
}
