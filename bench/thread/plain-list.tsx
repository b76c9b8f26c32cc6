import {
  AuiConfig,
  AuiProvider,
  ExternalThread,
  type ExternalThreadProps,
  ThreadPrimitive,
  useAuiState,
} from '@assistant-ui/react';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { AssistantMessage } from '#components/chat/assistant-message.tsx';
import { toThreadMessage } from '#components/chat/convert-message.ts';
import { UserMessage } from '#components/chat/user-message.tsx';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

/** The peer: assistant-ui's own list in a thread of all messages, which mounts every message and stays at the end. */
export default function PlainList({ scroller }: { scroller: HTMLElement }) {
  const session = useThreads((state) => state.session);
  return session === undefined ? null : <Messages key={session.threadId} session={session} scroller={scroller} />;
}

function Messages({ session, scroller }: { session: ThreadSession; scroller: HTMLElement }) {
  const branch = useSession(session, (snapshot) => snapshot.branch);
  const tree = useSession(session, (snapshot) => snapshot.tree);
  const isRunning = useSession(session, (snapshot) => snapshot.busy) ?? false;
  const messages = useMemo(() => branch?.map(toThreadMessage) ?? [], [branch]);
  const branches = useMemo<ExternalThreadProps['branches']>(
    () => ({
      getBranches: (id) => tree?.siblings(id) ?? [],
      switchToBranch: (id) => void session.switchBranch(id),
    }),
    [tree, session],
  );
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }, [scroller]);
  useEffect(() => {
    const onScroll = () => {
      isAtEnd.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= 2;
    };
    const growth = new ResizeObserver(() => {
      if (isAtEnd.current) scroller.scrollTop = scroller.scrollHeight;
    });
    scroller.addEventListener('scroll', onScroll);
    if (content.current !== null) growth.observe(content.current);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      growth.disconnect();
    };
  }, [scroller]);
  const config = AuiConfig({
    thread: ExternalThread({ messages, isRunning, branches, onEdit: () => undefined }),
  });
  return (
    <AuiProvider config={config}>
      <div ref={content}>
        <ThreadPrimitive.Messages components={COMPONENTS} />
      </div>
    </AuiProvider>
  );
}

const COMPONENTS = {
  UserMessage: () => <Row view={UserMessage} />,
  AssistantMessage: () => <Row view={AssistantMessage} />,
};

function Row({ view: View }: { view: () => React.ReactNode }) {
  const t = useAllMessages();
  const role = useAuiState((state) => state.message.role);
  const name = role === 'user' ? t.messages.you : t.messages.assistant;
  return (
    <article aria-label={name} tabIndex={-1} className="group/message relative my-4 outline-offset-4">
      <h3 className="mb-1 font-semibold text-muted text-xs">{name}</h3>
      <View />
    </article>
  );
}
