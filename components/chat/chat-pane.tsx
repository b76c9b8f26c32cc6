'use client';

import { AuiIf, ThreadPrimitive, useAui } from '@assistant-ui/react';
import { ArrowDown } from 'lucide-react';
import { Suspense } from 'react';
import { useSession, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Composer } from './composer.tsx';
import { DraftKeeper } from './drafts.tsx';
import { EmptyThread } from './empty-thread.tsx';
import { MessageList } from './message-list.tsx';
import { EditsBeside, MovedFiles, StorageProblem, UnsentMessage } from './storage-problems.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { putIntoComposer } from './user-message.ts';
import { WaitingOutOfSight } from './waiting-out-of-sight.tsx';

const VolatileNotice = lazyView(() => import('./volatile-notice.tsx'));

/** The conversation: header, messages, composer. */
export function ChatPane({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages();
  const { volatile } = useStudio();
  const selectedId = useThreads((state) => state.selectedId);
  return (
    <main aria-label={t.panes.chat} className="flex h-full min-w-0 flex-col">
      <ThreadHeader isNarrow={isNarrow} />
      <Suspense>{volatile === undefined ? null : <VolatileNotice />}</Suspense>
      <ThreadPrimitive.Root className="relative flex min-h-0 flex-1 flex-col">
        <ThreadPrimitive.ViewportProvider>
          <ThreadPrimitive.Viewport className="relative flex min-h-0 flex-1 flex-col overflow-y-auto px-4">
            <div className="mx-auto flex w-full max-w-[76ch] flex-1 flex-col">
              <ErrorBoundary resetKey={selectedId}>
                <AuiIf condition={({ thread }) => thread.isEmpty && !thread.isLoading}>
                  <EmptyThread />
                </AuiIf>
                <MessageList />
              </ErrorBoundary>
            </div>
          </ThreadPrimitive.Viewport>
          {/* Next to the scrolling part, never over it, so that nothing focused is hidden underneath. */}
          <div className="relative mx-auto w-full max-w-[calc(76ch+2rem)] px-4 pb-3">
            <ThreadPrimitive.ScrollToBottom asChild>
              <IconButton
                label={t.messages.scrollDown}
                // If it was pressed by keyboard, the button disappears and takes the focus with it, so the focus moves.
                onClick={(event) => event.detail === 0 && focusComposer()}
                className="absolute -top-10 left-1/2 -translate-x-1/2 rounded-full border border-line bg-raised shadow-float disabled:hidden"
              >
                <ArrowDown aria-hidden size={16} />
              </IconButton>
            </ThreadPrimitive.ScrollToBottom>
            <DraftKeeper />
            <WaitingOutOfSight />
            <MirrorNotice />
            <QueuedMessage />
            <MovedFiles />
            <EditsBeside />
            <UnsentMessage />
            <StorageProblem />
            <Composer />
          </div>
        </ThreadPrimitive.ViewportProvider>
      </ThreadPrimitive.Root>
    </main>
  );
}

/** Shown when another tab controls this thread. */
function MirrorNotice() {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const isMirror = useSession(session, ({ role }) => role === 'mirror') ?? false;
  if (!isMirror || session === undefined) return null;
  return (
    <div role="status" className="mb-2 flex items-center gap-3 rounded-md bg-accent-soft px-3 py-2 text-sm">
      <span className="flex-1">{t.mirror.notice}</span>
      <Button onClick={() => void session.continueHere()}>{t.mirror.continueHere}</Button>
    </div>
  );
}

/** The message that waits for the turn to end. */
function QueuedMessage() {
  const t = useMessages();
  const aui = useAui();
  const session = useThreads((state) => state.session);
  const queued = useSession(session, ({ thread }) => thread.queued);
  const busy = useSession(session, (snapshot) => snapshot.busy) ?? false;
  if (queued === undefined || session === undefined) return null;
  const text = queued.parts.map((part) => (part.type === 'text' ? part.text : (part.filename ?? ''))).join('\n');
  const takeBack = async () => {
    const message = await session.takeBackQueued();
    if (message !== undefined) await putIntoComposer(aui.composer, message);
  };
  return (
    <div role="status" className="mb-2 rounded-md border border-line border-dashed px-3 py-2 text-sm">
      <p className="text-muted text-xs">{busy ? t.messages.queued : t.messages.notSentYet}</p>
      <p className="line-clamp-3 whitespace-pre-wrap break-words">{text}</p>
      <div className="mt-1 flex gap-2">
        <Button
          onClick={() => {
            focusComposer();
            void session.sendQueuedNow();
          }}
        >
          {t.messages.sendNow}
        </Button>
        <Button onClick={() => void takeBack()}>{t.messages.takeBack}</Button>
      </div>
    </div>
  );
}
