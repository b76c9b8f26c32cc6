'use client';

import { Suspense, useEffect, useState } from 'react';
import { useSession, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useIsOnline } from '#components/hooks/use-is-online.ts';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type {
  AssistantMessage as AssistantMessageData,
  AssistantPart,
  CompactionPart,
  ToolCallPart,
  UserMessage,
} from '#lib/messages/message.ts';
import { partName } from '#lib/messages/part-name.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { CodeActionsView } from '../markdown/code-actions-view.ts';
import { Markdown, preloadMarkdown } from '../markdown/markdown.tsx';
import { RemoteImageView } from '../markdown/remote-image-view.ts';
import { BranchPicker } from './branch-picker.tsx';
import { CodeActions } from './code-actions.tsx';
import { MessageProblem } from './message-problem.tsx';
import { useOwnAssistantMessage } from './own-message.ts';
import { Reasoning } from './reasoning.tsx';
import { preloadTurnActions, TurnActions } from './turn-actions.tsx';

const ToolCalls = lazyView(() => import('#components/tools/tool-calls.tsx'));

const Notices = lazyView(() => import('./notices.tsx'));

const TurnChanges = lazyView(() => import('#components/review/turn-changes.tsx'));

const Compaction = lazyView(() => import('./compaction.tsx'));

/** The view of images from other sites. Until its code is loaded, such an image is shown as a link. */
const OfferedImage = lazyView(retriedUntilLoaded(() => import('./offered-image.tsx')));

/** Loads the code of the views that most answers need, before the first answer needs it. */
export const preloadAnswerParts = (): Promise<unknown> =>
  Promise.all([preloadMarkdown(), ToolCalls.preload(), Notices.preload(), preloadTurnActions()]);

/**
 * One turn of the model: its parts in their original order, such as reasoning, text, and calls, then its state and the
 * available actions.
 */
export function AssistantMessage() {
  const message = useOwnAssistantMessage();
  return (
    <>
      <ErrorBoundary resetKey={message}>
        <Turn message={message} />
      </ErrorBoundary>
      <TurnEnd message={message} />
    </>
  );
}

/** A placeholder that tells the list of messages that this row changes its height once the code of a view is loaded. */
const LOADING = <span hidden data-loading-view="" />;

const NO_CALLS: readonly string[] = [];

function Turn({ message }: { message: AssistantMessageData }) {
  const session = useThreads((state) => state.session);
  const asking = useSession(session, (snapshot) => snapshot.asking) ?? NO_CALLS;
  const running = useSession(session, (snapshot) => snapshot.runningCalls) ?? NO_CALLS;
  const isRunning = message.status.type === 'running';
  return groupParts(message).map((group, index, groups) => {
    const isLast = index === groups.length - 1;
    const key = `${index}:${group.type}`;
    switch (group.type) {
      case 'calls':
        return (
          <div key={key} className="my-block">
            <Suspense fallback={LOADING}>
              <ToolCalls calls={group.calls} live={{ asking, running }} session={session} />
            </Suspense>
          </div>
        );
      case 'text':
        return (
          <div key={key} data-part={group.name} className="my-block">
            <RemoteImageView value={OfferedImage}>
              <CodeActionsView value={CodeActions}>
                <Markdown text={group.part.text} name={group.name} streaming={isRunning && isLast} />
              </CodeActionsView>
            </RemoteImageView>
          </div>
        );
      case 'compaction':
        return (
          <Suspense key={key} fallback={LOADING}>
            <Compaction name={group.name} part={group.part} />
          </Suspense>
        );
      case 'reasoning':
        return <Reasoning key={key} name={group.name} part={group.part} isThinking={isRunning && isLast} />;
      default:
        return (
          <Suspense key={key} fallback={LOADING}>
            <Notices notices={group.part.notices} modelId={group.part.model} />
          </Suspense>
        );
    }
  });
}

type PartGroup =
  | { type: 'calls'; calls: ToolCallPart[] }
  | { type: 'text'; name: string; part: Extract<AssistantPart, { type: 'text' }> }
  | { type: 'reasoning'; name: string; part: Extract<AssistantPart, { type: 'reasoning' }> }
  | { type: 'compaction'; name: string; part: CompactionPart }
  | { type: 'step'; part: Extract<AssistantPart, { type: 'step' }> };

/**
 * Groups a turn's parts as they are shown: consecutive calls are one group, even across steps. The notices of a step follow
 * its parts. Steps without notices and blank texts are left out.
 */
function groupParts({ id, parts }: AssistantMessageData): PartGroup[] {
  const groups: PartGroup[] = [];
  let notices: PartGroup | undefined;
  for (const [index, part] of parts.entries()) {
    const name = partName(id, index, part);
    if (part.type === 'step') {
      if (notices !== undefined) groups.push(notices);
      notices = part.notices.length > 0 ? { type: 'step', part } : undefined;
    } else if (part.type === 'compaction') {
      if (notices !== undefined) groups.push(notices);
      notices = undefined;
      groups.push({ type: 'compaction', name, part });
    } else if (part.type === 'tool-call') {
      const last = groups.at(-1);
      if (last?.type === 'calls') last.calls.push(part);
      else groups.push({ type: 'calls', calls: [part] });
    } else if (part.text.trim() !== '') {
      groups.push(part.type === 'text' ? { type: 'text', name, part } : { type: 'reasoning', name, part });
    }
  }
  if (notices !== undefined) groups.push(notices);
  return groups;
}

function Reconnecting() {
  const t = useAllMessages();
  return useIsOnline() ? t.messages.reconnecting : t.messages.offline;
}

/** The longest time without anything new before an answer says that it waits, in milliseconds. */
const SILENCE_MS = 4_000;

/** Checks whether a turn is running in which nothing new has arrived for `SILENCE_MS`. */
function useIsSilent(message: AssistantMessageData): boolean {
  const [silent, setSilent] = useState<AssistantMessageData>();
  useEffect(() => {
    if (message.status.type !== 'running') return;
    const timer = setTimeout(() => setSilent(message), SILENCE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return silent === message;
}

/** The versions of a turn that has no actions yet, where they are once it has. */
const Versions = () => (
  <div className="flex justify-end">
    <BranchPicker />
  </div>
);

/** The end of a turn: whether it is still running, why it ended, and the available actions. */
function TurnEnd({ message }: { message: AssistantMessageData }) {
  const t = useAllMessages();
  const { threads } = useStudio();
  const session = useThreads((state) => state.session);
  const offline = useSession(session, (snapshot) => snapshot.offlineSince !== undefined) ?? false;
  const isLast = useSession(session, (snapshot) => snapshot.thread.headId === message.id) ?? false;
  const opening = useThreads((state) => state.opening);
  // While the thread is opening, only its last messages are there.
  const isLatest = session === undefined ? opening?.at(-1)?.id === message.id : isLast;
  const isSilent = useIsSilent(message);
  const { status } = message;
  if (status.type === 'running') {
    const last = message.parts.at(-1);
    const waits =
      last === undefined ||
      last.type === 'step' ||
      last.type === 'compaction' ||
      status.compacting === true ||
      (last.type === 'tool-call' ? last.result !== undefined : isSilent);
    return (
      <>
        {offline || waits ? (
          <p role="status" className="my-block flex items-center gap-2 text-muted text-sm">
            <Spinner />
            {offline ? (
              <Reconnecting />
            ) : status.compacting === true ? (
              t.messages.compacting
            ) : (
              <ModelWait key={status.retry?.at} retry={status.retry} />
            )}
          </p>
        ) : null}
        {status.retry !== undefined && !offline && waits && isLast && session !== undefined ? (
          <RetryChoices session={session} />
        ) : null}
        <Versions />
      </>
    );
  }
  if (status.type === 'waiting') return <Versions />;
  const isContinued = message.parts.some((part) => part.type === 'step' && part.finishReason !== undefined);
  return (
    <>
      {status.type === 'failed' ? (
        <MessageProblem
          name={message.id}
          problem={status.problem}
          isLast={isLatest}
          session={session}
          modelId={message.parts.findLast((part) => part.type === 'step')?.model}
        />
      ) : null}
      {status.type === 'stopped' ? (
        <p className="my-block flex items-center gap-3 text-muted text-sm">
          {t.messages.stopped}
          {isLast && session !== undefined ? (
            <Button onClick={() => void session.retry()}>{isContinued ? t.messages.resume : t.common.retry}</Button>
          ) : null}
        </p>
      ) : null}
      {isLast && status.type === 'done' && isCutByLength(message) ? (
        <Button className="my-block" onClick={() => void threads.send(ownText(t.messages.goOn))}>
          {t.messages.resume}
        </Button>
      ) : null}
      <Changes message={message} />
      <TurnActions message={message} isLast={isLast} />
    </>
  );
}

/** Checks whether an answer ends because the model reached its length limit. */
const isCutByLength = ({ parts }: AssistantMessageData): boolean =>
  parts.findLast((part) => part.type === 'step')?.finishReason === 'length';

const ownText = (text: string): UserMessage => ({
  id: crypto.randomUUID(),
  role: 'user',
  createdAt: Date.now(),
  parts: [{ type: 'text', text }],
});

/** Shows the changes that the turn has made to files. Renders nothing if it has made none. */
function Changes({ message }: { message: AssistantMessageData }) {
  const calls = message.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result?.changed !== undefined ? [part.toolCallId] : [],
  );
  return calls.length === 0 ? null : (
    <Suspense fallback={LOADING}>
      <TurnChanges name={message.id} calls={calls} />
    </Suspense>
  );
}

/** Says that the studio waits for the model, or counts the seconds until it may ask the model's server again. */
function ModelWait({ retry }: { retry: Extract<AssistantMessageData['status'], { type: 'running' }>['retry'] }) {
  const t = useAllMessages();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (retry === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [retry]);
  const seconds = retry === undefined ? 0 : Math.ceil((retry.at - now) / 1_000);
  const [first] = useState(seconds);
  if (retry === undefined || seconds <= 0) return t.messages.waitingForModel;
  const isRateLimit = retry.code === 'rate-limited';
  return (
    <>
      <span aria-hidden>{t.messages.retrying(seconds, isRateLimit)}</span>
      {/* Said once, not every second. */}
      <span className="sr-only">{t.messages.retrying(first, isRateLimit)}</span>
    </>
  );
}

/** Offers to try at once or to use another model, instead of waiting for the next try. */
function RetryChoices({ session }: { session: ThreadSession }) {
  const t = useAllMessages();
  const { chooseModel } = useWorkbench();
  const tryNow = () => {
    // The buttons disappear, and would take the focus with them.
    focusComposer();
    return session.stop().then(() => session.retry());
  };
  return (
    <p className="flex flex-wrap gap-2">
      <Button onClick={() => void tryNow()}>{t.messages.tryNow}</Button>
      <Button onClick={() => chooseModel(() => void tryNow())}>{t.messages.useOtherModel}</Button>
    </p>
  );
}
