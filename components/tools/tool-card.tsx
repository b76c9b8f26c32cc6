'use client';

import {
  Ban,
  Check,
  CircleAlert,
  CircleHelp,
  CircleSlash,
  Clock,
  Copy,
  Ellipsis,
  FileText,
  PenLine,
  RotateCw,
  Scissors,
  Square,
} from 'lucide-react';
import { memo, type ReactNode, Suspense, useId } from 'react';
import { useKeptState, useReveal } from '#components/hooks/kept-state.ts';
import { useSession, useTools, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import type { AllMessages } from '#components/i18n/catalog.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useToolTexts } from '#components/i18n/use-tool-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { copyText } from '#components/ui/copy-text.ts';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { MenuEntry } from '#components/ui/menu-list.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { repairRoundOf } from '#lib/tools/browser/preview-open.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { type CallProgress, resultContent } from '#lib/tools/core/tool-call.ts';
import { resolveDelegatedCall } from '#lib/tools/execution/resolve-delegated-call.ts';
import { Approval } from './approval.tsx';
import { callPhrase } from './call-phrase.ts';
import type { CallState } from './call-state.ts';
import { exitCodeOf } from './exit-code.ts';
import { failureReason } from './failure-reason.ts';
import { useLiveTab } from './live-tab.ts';
import { ResultContent } from './result-content.tsx';
import { canRunAgain, type RepeatedRead, runAgain } from './run-again.ts';
import { ToolDetails } from './tool-details.tsx';
import { primaryText, readableInput, touchedFile } from './tool-input.ts';

const CallFormView = lazyView(() => import('#components/sources/servers/call-form.tsx'));

const ICONS: Record<CallState, { icon: ReactNode; color: string }> = {
  writing: { icon: <PenLine aria-hidden size={14} />, color: 'text-running' },
  waiting: { icon: <Clock aria-hidden size={14} />, color: 'text-muted' },
  asking: { icon: <CircleHelp aria-hidden size={14} />, color: 'text-waiting' },
  running: { icon: <Spinner />, color: 'text-running' },
  done: { icon: <Check aria-hidden size={14} />, color: 'text-done' },
  failed: { icon: <CircleAlert aria-hidden size={14} />, color: 'text-failed' },
  denied: { icon: <Ban aria-hidden size={14} />, color: 'text-denied' },
  stopped: { icon: <Square aria-hidden size={14} />, color: 'text-muted' },
  interrupted: { icon: <CircleSlash aria-hidden size={14} />, color: 'text-denied' },
  incomplete: { icon: <Scissors aria-hidden size={14} />, color: 'text-denied' },
  unknown: { icon: <CircleHelp aria-hidden size={14} />, color: 'text-failed' },
  invalid: { icon: <CircleAlert aria-hidden size={14} />, color: 'text-failed' },
};

const COMMAND_FAILED = { icon: <CircleAlert aria-hidden size={14} />, color: 'text-denied' };

interface ToolCardProps {
  isInFold?: boolean;
  /** The call as the model made it. */
  part: ToolCallPart;
  state: CallState;
  session: ThreadSession | undefined;
}

/**
 * Returns the name under which `useKeptState` keeps whether the user has opened or closed the card of a call. The card that is
 * shown inside folded calls has another name, and so a state of its own.
 */
export const cardName = (toolCallId: string, isInFold = false): string =>
  `${isInFold ? 'folded-card' : 'card'}/${toolCallId}`;

/** The card of a call: a line with its tool and state that expands to its arguments and result. Asks for approval if needed. */
export const ToolCard = memo(function ToolCard({ part: made, state, session, isInFold = false }: ToolCardProps) {
  const t = useAllMessages();
  const texts = useToolTexts();
  const detailsId = useId();
  const tools = useTools();
  const part = resolveDelegatedCall(made, (name) => tools.get(name));
  const [chosen, setChosen] = useKeptState<boolean | undefined>(cardName(part.toolCallId, isInFold), undefined);
  const [again, setAgain] = useKeptState<RepeatedRead | undefined>(`again/${part.toolCallId}`, undefined);
  useReveal(cardName(part.toolCallId, isInFold), [part.toolCallId], () => setChosen(true));
  const workspace = useWorkspace();
  const inner = useSession(session, ({ innerCalls }) => innerCalls.get(part.toolCallId));
  const form = useSession(session, ({ forms }) => forms.get(part.toolCallId));
  const progress = useSession(session, (snapshot) => snapshot.progress.get(part.toolCallId));
  // Opens automatically if there is something to watch or to decide, until the user opens or closes it.
  const open = chosen ?? (state === 'writing' || state === 'asking');
  const input = readableInput(part);
  const tool = tools.get(part.toolName);
  const round = tool?.presentation.result === 'page' ? repairRoundOf(part.result) : undefined;
  const exitCode = exitCodeOf(tool, part);
  // The tool itself succeeded in opening a page that failed, or in running a command that did.
  const { icon, color } = exitCode === undefined ? ICONS[round === undefined ? state : 'failed'] : COMMAND_FAILED;
  const isPending = state === 'waiting' || state === 'asking';
  useLiveTab(tool, part, input, state, isPending && session?.isReview(part.toolCallId) === true);
  const { durationMs: duration, changed } = part.result ?? {};
  const reason = part.result?.type === 'tool-error' ? failureReason(part.result.message, texts) : undefined;
  const repeat = async () => {
    if (workspace === undefined || tool === undefined) return;
    setAgain(await runAgain(tool, part, workspace.files.capabilities));
    setChosen(true);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a call is a group of its parts, not a set of form fields
    <div
      role="group"
      aria-label={t.tools.group(part.toolName)}
      data-state={state}
      data-call-id={part.toolCallId}
      className={`my-0.5 rounded-md border ${state === 'asking' ? 'border-waiting' : open ? 'border-line' : 'border-transparent'}`}
    >
      <div className="flex items-center">
        <Disclosure
          open={open}
          onOpenChange={setChosen}
          controls={detailsId}
          className="min-w-0 flex-1 items-center gap-x-2 rounded-md py-1 pr-2 pl-1 text-sm hover:bg-hover"
          arrowClassName="text-muted"
        >
          <span className={`shrink-0 ${color}`}>{icon}</span>
          {/* Spaces are for whoever hears the line, or copies it. */}
          <span className="min-w-0 truncate">{callPhrase(tool, part.toolName, state, t, changed)}</span>{' '}
          <span data-unsearched="" className="min-w-0 flex-1 truncate text-left">
            <span translate="no" className="font-mono text-[13px] text-muted">
              {primaryText(tool, input)}
            </span>
            {state === 'running' && progress !== undefined ? (
              <span className="ml-2 text-muted text-xs tabular-nums">{progressText(progress, t)}</span>
            ) : null}
            {reason === undefined ? null : <span className="ml-2 text-failed text-xs">{reason}</span>}
          </span>{' '}
          {changed === undefined ? null : (
            <span data-unsearched="" className="shrink-0 text-xs tabular-nums">
              <span className="text-done">+{changed.added}</span>{' '}
              <span className="text-failed">−{changed.removed}</span>
            </span>
          )}
          <span
            data-unsearched=""
            // An icon, and often the reason, say the same.
            className={
              round === undefined && exitCode === undefined && (state === 'done' || reason !== undefined)
                ? 'sr-only'
                : `shrink-0 text-xs ${color}`
            }
          >
            {exitCode !== undefined
              ? t.tools.exitCode(exitCode)
              : round === undefined
                ? t.tools.states[state]
                : t.tools.repairRound(round.round, round.roundsMax)}
          </span>{' '}
          {duration === undefined ? null : (
            <span data-unsearched="" data-duration="" className="shrink-0 text-muted text-xs tabular-nums">
              {duration < 1_000 ? t.time.ms(duration) : t.time.seconds(duration / 1_000)}
            </span>
          )}
        </Disclosure>
        <CardMenu tool={tool} part={part} onRunAgain={() => void repeat()} />
      </div>
      <div id={detailsId} hidden={!open} className="border-line border-t px-3 pb-2">
        {open ? <ToolDetails tool={tool} part={part} made={made} input={input} state={state} /> : null}
        {again === undefined ? null : <Repeated read={again} />}
        {form !== undefined && session !== undefined ? (
          <Suspense fallback={<Spinner />}>
            <CallFormView
              key={form.id}
              form={form}
              onAnswer={(answer) => session.answerForm(part.toolCallId, answer)}
            />
          </Suspense>
        ) : state === 'asking' && session !== undefined ? (
          <Approval part={part} inner={inner} input={input} session={session} />
        ) : null}
      </div>
    </div>
  );
});

/** Describes the progress of a call. */
function progressText({ done, of, text }: CallProgress, t: AllMessages): string {
  const format = (value: number) => value.toLocaleString(t.locale, { maximumFractionDigits: 1 });
  const amount = of === undefined ? format(done) : t.tools.progress(format(done), format(of));
  return text === undefined || text === '' ? amount : `${amount} · ${visibleText(text)}`;
}

function Repeated({ read }: { read: RepeatedRead }) {
  const t = useAllMessages();
  return (
    <div role="status">
      {read.type === 'output' ? (
        <ResultContent content={read.content} label={t.tools.resultNow} />
      ) : (
        <p className="my-2 whitespace-pre-wrap break-words rounded-md bg-failed-soft p-2 font-mono text-[13px]">
          {read.message}
        </p>
      )}
    </div>
  );
}

interface CardMenuProps {
  tool: Tool | undefined;
  part: ToolCallPart;
  onRunAgain(): void;
}

function CardMenu({ tool, part, onRunAgain }: CardMenuProps) {
  const t = useAllMessages();
  const { openFile } = useWorkbench();
  const file = touchedFile(tool, part);
  const entries: MenuEntry[] = [];
  if (file !== undefined)
    entries.push({ label: t.tools.openFile, icon: <FileText aria-hidden size={14} />, onSelect: () => openFile(file) });
  if (canRunAgain(tool, part))
    entries.push({ label: t.tools.runAgain, icon: <RotateCw aria-hidden size={14} />, onSelect: onRunAgain });
  const { result } = part;
  if (result !== undefined) {
    const text = resultContent(result);
    entries.push({
      label: t.tools.copyResult,
      icon: <Copy aria-hidden size={14} />,
      onSelect: () => void copyText(text),
    });
  }
  if (entries.length === 0) return null;
  return (
    <Menu
      entries={entries}
      trigger={
        <IconButton label={t.tools.options(part.toolName)}>
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
    />
  );
}
