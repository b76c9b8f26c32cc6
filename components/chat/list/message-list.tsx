'use client';

import { useConversation } from '#components/hooks/conversation.ts';
import { KeptStatesContext } from '#components/hooks/kept-state.ts';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { Message } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { MessageRow } from './message-row.tsx';
import { useMessageList } from './use-message-list.ts';

/**
 * The messages of the open branch, which has one version of each message of the thread, as a list. `scroller`: the element
 * that scrolls it.
 */
export default function MessageList({ scroller }: { scroller: HTMLElement }) {
  const { kept, places } = useConversation();
  const session = useThreads((state) => state.session);
  const threadId = useThreads((state) => state.selectedId);
  const opening = useThreads((state) => state.opening);
  const whole = useSession(session, (snapshot) => snapshot.branch);
  if (threadId === null) return null;
  // The last messages are loaded first. They are shown at once only if the thread was left at its end.
  const branch = whole ?? (places.get(threadId).place === 'end' ? opening : undefined);
  if (branch === undefined || branch.length === 0) return null;
  return (
    <KeptStatesContext value={kept.of(threadId)}>
      <Rows key={threadId} threadId={threadId} session={session} branch={branch} scroller={scroller} />
    </KeptStatesContext>
  );
}

interface RowsProps {
  threadId: string;
  /** The thread's session; undefined while the thread is opening and only its last messages are loaded. */
  session: ThreadSession | undefined;
  branch: readonly Message[];
  scroller: HTMLElement;
}

function Rows({ threadId, session, branch, scroller }: RowsProps) {
  const t = useAllMessages();
  const isBusy = useSession(session, ({ busy }) => busy) ?? false;
  const isElsewhere = useSession(session, ({ role }) => role !== 'actor') ?? true;
  const queuedId = useSession(session, ({ thread }) => thread.queued?.id);
  const { list, rows } = useMessageList({ threadId, branch, isBusy, isElsewhere, queuedId, scroller });
  return (
    <div
      ref={list.containerRef}
      role="feed"
      aria-label={t.messages.list}
      aria-busy={isBusy}
      className="relative w-full"
    >
      {rows.map(({ index, key }) => {
        const message = branch[index];
        return message === undefined ? null : (
          <div
            key={key}
            ref={list.measureElement}
            data-index={index}
            data-message-key={key}
            className="absolute inset-x-0"
          >
            <MessageRow message={message} session={session} position={session && index + 1} total={branch.length} />
          </div>
        );
      })}
    </div>
  );
}
