'use client';

import { ThreadPrimitive } from '@assistant-ui/react';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useConversation, useConversationState } from '#components/hooks/conversation.ts';
import {
  useConnections,
  useCurrentModelId,
  useSession,
  useStudio,
  useThreads,
} from '#components/hooks/studio-provider.tsx';
import { useWasIdle } from '#components/hooks/when-idle.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import type { Message } from '#lib/messages/message.ts';
import { Composer } from './composer.tsx';
import { DraftKeeper } from './drafts.tsx';
import { EmptyThread } from './empty-thread.tsx';
import { RENDERER_WAIT_MS } from './renderer-wait.ts';
import { StorageProblem, UnopenedThread, UnsentMessage } from './storage-problems.tsx';
import { ThreadHeader } from './thread-header.tsx';

const FindBar = lazyView(() => import('./find/find-bar.tsx'));
const MessageList = lazyView(async () => {
  // Otherwise the first answer would show its Markdown source for a moment. If loading fails, the answer tries again.
  const renderer = Promise.race([
    import('#components/markdown/markdown.tsx').then(({ preloadMarkdown }) => preloadMarkdown()),
    new Promise((resolve) => setTimeout(resolve, RENDERER_WAIT_MS)),
  ]).catch(() => undefined);
  const [list] = await Promise.all([import('./list/message-list.tsx'), renderer]);
  return list;
});
const LockedKeys = lazyView(() => import('./locked-keys.tsx'));
/** Loads the code of the list of messages, of the find bar and two notices, and of the views that most answers need. */
export const preloadMessageList = async (): Promise<void> => {
  await Promise.all([MessageList, FindBar, QueuedMessage, WaitingOutOfSight].map((view) => view.preload()));
  await (await import('./assistant-message.tsx')).preloadAnswerParts();
};

const PaneNotices = lazyView(() => import('./pane-notices.tsx'));
const QueuedMessage = lazyView(() => import('./queued-message.tsx'));
const CompactsNext = lazyView(() => import('./compacts-next.tsx'));
const WaitingOutOfSight = lazyView(() => import('./waiting-out-of-sight.tsx'));

const VolatileNotice = lazyView(() => import('./volatile-notice.tsx'));

/** The conversation: header, messages, composer. `isNarrow`: whether the window shows only one pane at a time. */
export function ChatPane({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages();
  const { volatile } = useStudio();
  const selectedId = useThreads((state) => state.selectedId);
  const session = useThreads((state) => state.session);
  const hasMessages = useSession(session, ({ branch }) => branch.length > 0);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const find = useConversationState((state) => state.find);
  const conversation = useConversation();
  const wasIdle = useWasIdle();
  useEffect(() => {
    if (find !== undefined && find.threadId !== selectedId) conversation.closeFind();
  }, [find, selectedId, conversation]);
  return (
    <main aria-label={t.panes.chat} className="flex h-full min-w-0 flex-col">
      <ThreadHeader isNarrow={isNarrow} />
      <LazyNotice>{volatile === undefined ? null : <VolatileNotice />}</LazyNotice>
      <ThreadPrimitive.Root className="relative flex min-h-0 flex-1 flex-col">
        {/* The composer needs it. The list scrolls by itself. */}
        <ThreadPrimitive.ViewportProvider>
          <ErrorBoundary resetKey={find}>
            <Suspense>
              {find?.threadId !== selectedId || find === undefined || scroller === null ? null : (
                <FindBar request={find} scroller={scroller} />
              )}
            </Suspense>
          </ErrorBoundary>
          {/* The list keeps the reader's place itself. The same room on both sides keeps it above the message box. */}
          <div
            ref={setScroller}
            className="relative flex min-h-0 flex-1 flex-col overflow-y-auto px-4 [scrollbar-gutter:stable_both-edges]"
          >
            <div className="mx-auto flex w-full max-w-[76ch] flex-1 flex-col">
              <ErrorBoundary resetKey={selectedId}>
                {selectedId === null || hasMessages === false ? <EmptyThread /> : null}
                {selectedId === null || scroller === null ? null : (
                  <Suspense>
                    <MessageList scroller={scroller} />
                  </Suspense>
                )}
              </ErrorBoundary>
            </div>
          </div>
          {/* Next to the scrolling part, never over it, so that nothing focused is hidden underneath. */}
          <div className="relative mx-auto w-full max-w-[calc(76ch+2rem)] px-4 pb-3 print:hidden">
            <ScrollToEnd />
            <DraftKeeper />
            <WaitingNotice />
            <LockedKeysNotice />
            <LazyNotice>{wasIdle ? <PaneNotices /> : null}</LazyNotice>
            <QueuedMessageNotice />
            <CompactsNextNotice />
            <UnsentMessage />
            <UnopenedThread />
            <StorageProblem />
            <Composer />
          </div>
        </ThreadPrimitive.ViewportProvider>
      </ThreadPrimitive.Root>
    </main>
  );
}

function ScrollToEnd() {
  const t = useMessages();
  const conversation = useConversation();
  if (useConversationState(({ isAtEnd }) => isAtEnd)) return null;
  // At the edge, where no button of a card is.
  return (
    <IconButton
      label={t.chat.scrollDown}
      onClick={(event) => {
        conversation.list?.scrollToEnd();
        // If it was pressed by keyboard, the button disappears and takes the focus with it, so the focus moves.
        if (event.detail === 0) focusComposer();
      }}
      className="absolute -top-10 right-4 rounded-full border border-line bg-raised shadow-float"
    >
      <ArrowDown aria-hidden size={16} />
    </IconButton>
  );
}

/** Shows a notice whose code is loaded when it is first shown. If that fails, the error is shown in its place. */
const LazyNotice = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
);

/**
 * Loads the notice about calls that wait for the user's approval, while there are any. The notice is visible while their
 * cards are out of view.
 */
function WaitingNotice() {
  const session = useThreads((state) => state.session);
  const first = useSession(session, ({ asking }) => asking[0]);
  return first === undefined ? null : (
    <LazyNotice>
      <WaitingOutOfSight />
    </LazyNotice>
  );
}

/** Shown while the key of the model in use is under a passphrase that has not been entered in this page. */
function LockedKeysNotice() {
  const current = useCurrentModelId();
  const needsKey = useConnections(
    ({ isLocked, connections }) =>
      isLocked && connections.some(({ id, hasKey }) => hasKey && current?.startsWith(`${id}/`) === true),
  );
  return needsKey ? (
    <LazyNotice>
      <LockedKeys />
    </LazyNotice>
  ) : null;
}

/** Checks whether a running turn is summarizing the conversation because the person chose “Summarize now”. */
function isCompacting(turn: Message | undefined): boolean {
  if (turn?.role !== 'assistant' || turn.status.type !== 'running') return false;
  const { runId, compacting } = turn.status;
  return (
    compacting === true || turn.parts.some((part) => part.type === 'compaction' && part.runId === runId && part.asked)
  );
}

/** Shown after the person has asked for a summary, until a running turn has begun to make it. */
function CompactsNextNotice() {
  const session = useThreads((state) => state.session);
  const isAsked =
    useSession(session, ({ thread, branch }) => thread.compactsNext === true && !isCompacting(branch.at(-1))) ?? false;
  return isAsked && session !== undefined ? (
    <LazyNotice>
      <CompactsNext session={session} />
    </LazyNotice>
  ) : null;
}

/** Shown while a message waits for the turn to end. */
function QueuedMessageNotice() {
  const session = useThreads((state) => state.session);
  const queued = useSession(session, ({ thread }) => thread.queued);
  return queued === undefined || session === undefined ? null : (
    <LazyNotice>
      <QueuedMessage session={session} queued={queued} />
    </LazyNotice>
  );
}
