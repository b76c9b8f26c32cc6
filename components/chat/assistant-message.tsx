'use client';

import { MessagePrimitive } from '@assistant-ui/react';
import { RefreshCw, Replace, ScanText } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { AssistantMessage as AssistantMessageData, AssistantPart, ToolCallPart } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { BranchPicker } from './branch-picker.tsx';
import { MessageProblem } from './message-problem.tsx';
import { Notices } from './notices.tsx';
import { useOwnAssistantMessage } from './own-message.ts';
import { Reasoning } from './reasoning.tsx';
import { RestoreFiles } from './restore-files.tsx';

const ToolCalls = lazyView(() => import('#components/tools/tool-calls.tsx'));

export const preloadToolCalls = ToolCalls.preload;

const CostView = lazyView(() => import('./cost.tsx'));

const ContextInspector = lazyView(() => import('#components/inspector/context-inspector.tsx'));

/** One turn of the model: its reasoning, text, and calls in their original order. */
export function AssistantMessage() {
  const t = useMessages();
  const message = useOwnAssistantMessage();
  return (
    <MessagePrimitive.Root asChild>
      <article
        aria-label={t.messages.assistant}
        tabIndex={-1}
        data-status={message.status.type}
        className="group/message my-4 outline-offset-4"
      >
        <h3 className="mb-1 font-semibold text-muted text-xs">{t.messages.assistant}</h3>
        <ErrorBoundary resetKey={message}>
          <Turn message={message} />
        </ErrorBoundary>
        <TurnEnd message={message} />
      </article>
    </MessagePrimitive.Root>
  );
}

const NO_CALLS: readonly string[] = [];

function Turn({ message }: { message: AssistantMessageData }) {
  const session = useThreads((state) => state.session);
  const asking = useSession(session, (snapshot) => snapshot.asking) ?? NO_CALLS;
  const running = useSession(session, (snapshot) => snapshot.runningCalls) ?? NO_CALLS;
  const isRunning = message.status.type === 'running';
  const groups = groupParts(message.parts);
  return groups.map((group, index) => {
    const isLast = index === groups.length - 1;
    const key = `${index}:${group.type}`;
    switch (group.type) {
      case 'calls':
        return (
          <Suspense key={key}>
            <ToolCalls calls={group.calls} live={{ asking, running }} session={session} />
          </Suspense>
        );
      case 'text':
        return <Markdown key={key} text={group.part.text} />;
      case 'reasoning':
        return <Reasoning key={key} part={group.part} isThinking={isRunning && isLast} />;
      default:
        return <Notices key={key} notices={group.part.notices} modelId={group.part.model} />;
    }
  });
}

type PartGroup =
  | { type: 'calls'; calls: ToolCallPart[] }
  | { type: 'text'; part: Extract<AssistantPart, { type: 'text' }> }
  | { type: 'reasoning'; part: Extract<AssistantPart, { type: 'reasoning' }> }
  | { type: 'step'; part: Extract<AssistantPart, { type: 'step' }> };

/** Groups consecutive calls, even across steps. A step is shown only if it has notices. */
function groupParts(parts: readonly AssistantPart[]): PartGroup[] {
  const groups: PartGroup[] = [];
  let notices: PartGroup | undefined;
  for (const part of parts) {
    if (part.type === 'step') {
      if (notices !== undefined) groups.push(notices);
      notices = part.notices.length > 0 ? { type: 'step', part } : undefined;
    } else if (part.type === 'tool-call') {
      const last = groups.at(-1);
      if (last?.type === 'calls') last.calls.push(part);
      else groups.push({ type: 'calls', calls: [part] });
    } else if (part.text.trim() !== '') {
      groups.push(part.type === 'text' ? { type: 'text', part } : { type: 'reasoning', part });
    }
  }
  if (notices !== undefined) groups.push(notices);
  return groups;
}

/** The end of a turn: whether it is still running, why it ended, and the available actions. */
function TurnEnd({ message }: { message: AssistantMessageData }) {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const offline = useSession(session, (snapshot) => snapshot.offlineSince !== undefined) ?? false;
  const isLast = useSession(session, (snapshot) => snapshot.thread.headId === message.id) ?? false;
  const { status } = message;
  if (status.type === 'running') {
    const last = message.parts.at(-1);
    const waits =
      last === undefined || last.type === 'step' || (last.type === 'tool-call' && last.result !== undefined);
    return (
      <>
        {offline || waits ? (
          <p role="status" className="my-2 flex items-center gap-2 text-muted text-sm">
            <Spinner />
            {offline ? t.messages.reconnecting : <ModelWait key={status.retry?.at} retry={status.retry} />}
          </p>
        ) : null}
        {status.retry !== undefined && !offline && waits && isLast && session !== undefined ? (
          <RetryChoices session={session} />
        ) : null}
        <BranchPicker />
      </>
    );
  }
  if (status.type === 'waiting') return <BranchPicker />;
  return (
    <>
      {status.type === 'failed' ? <MessageProblem problem={status.problem} isLast={isLast} session={session} /> : null}
      {status.type === 'stopped' ? (
        <p className="my-2 flex items-center gap-3 text-muted text-sm">
          {t.messages.stopped}
          {isLast && session !== undefined ? (
            <Button onClick={() => void session.retry()}>{t.messages.resume}</Button>
          ) : null}
        </p>
      ) : null}
      <TurnActions message={message} />
    </>
  );
}

/** What the model is waiting for: itself, or the moment at which its server may be asked again. */
function ModelWait({ retry }: { retry: Extract<AssistantMessageData['status'], { type: 'running' }>['retry'] }) {
  const t = useMessages();
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

/** What the person can do instead of waiting for the next try. */
function RetryChoices({ session }: { session: ThreadSession }) {
  const t = useMessages();
  const { chooseModel } = useWorkbench();
  const tryNow = () => session.stop().then(() => session.retry());
  return (
    <p className="flex flex-wrap gap-2">
      <Button onClick={() => void tryNow()}>{t.messages.tryNow}</Button>
      <Button onClick={() => chooseModel(() => void tryNow())}>{t.messages.useOtherModel}</Button>
    </p>
  );
}

function TurnActions({ message }: { message: AssistantMessageData }) {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const { chooseModel } = useWorkbench();
  const [inspecting, setInspecting] = useState(false);
  const steps = message.parts.filter((part) => part.type === 'step');
  const text = () =>
    message.parts
      .map((part) => (part.type === 'text' ? part.text : ''))
      .filter(Boolean)
      .join('\n\n');
  return (
    <div className="flex h-8 items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
      <BranchPicker />
      <CopyButton text={text} />
      {session === undefined ? null : (
        <IconButton label={t.messages.regenerate} onClick={() => void session.regenerate(message.id)}>
          <RefreshCw aria-hidden size={15} />
        </IconButton>
      )}
      {session === undefined ? null : (
        <IconButton
          label={t.messages.regenerateWith}
          onClick={() => chooseModel(() => void session.regenerate(message.id))}
        >
          <Replace aria-hidden size={15} />
        </IconButton>
      )}
      <RestoreFiles messageId={message.id} />
      <IconButton label={t.messages.inspect} onClick={() => setInspecting(true)}>
        <ScanText aria-hidden size={15} />
      </IconButton>
      {steps.some(({ usage }) => usage?.inputTokens !== undefined) ? (
        <Suspense>
          <CostView steps={steps} />
        </Suspense>
      ) : null}
      {inspecting ? (
        <Suspense>
          <ContextInspector message={message} onClose={() => setInspecting(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
