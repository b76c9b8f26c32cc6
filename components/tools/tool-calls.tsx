'use client';

import { type FocusEvent, memo, useContext, useState } from 'react';
import { KeptStatesContext, useKeptState, useReveal } from '#components/hooks/kept-state.ts';
import { useTools } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { resolveDelegatedCall } from '#lib/tools/execution/resolve-delegated-call.ts';
import { SKILLS } from '#lib/tools/toolset-names.ts';
import { type CallRun, callRuns, countTools } from './call-runs.ts';
import { callState, type LiveCalls } from './call-state.ts';
import { cardName, ToolCard } from './tool-card.tsx';
import { primaryText, readableInput } from './tool-input.ts';

interface ToolCallsProps {
  /** Consecutive calls. */
  calls: readonly ToolCallPart[];
  live: LiveCalls;
  session: ThreadSession | undefined;
}

/** Shows calls in order. Reads in a row, and finished calls among many, fold into lines that expand to their cards. */
export default function ToolCalls({ calls, live, session }: ToolCallsProps) {
  const tools = useTools();
  const kept = useContext(KeptStatesContext);
  const [focused, setFocused] = useState<string>();
  const runs = callRuns(
    calls,
    ({ toolName }) => {
      const tool = tools.get(toolName);
      return tool?.effect === 'read' && (tool.toolset === 'files' || tool.toolset === SKILLS);
    },
    // Folding the call with the focus would lose the focus.
    ({ toolCallId }) => toolCallId === focused || kept?.get(cardName(toolCallId)) === true,
  );
  const noteFocus = ({ target }: FocusEvent) => {
    const id = target.closest<HTMLElement>('[data-call-id]')?.dataset.callId;
    setFocused(runs.some((run) => run.type === 'card' && run.call.toolCallId === id) ? id : undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus is
    <div onFocus={noteFocus} onBlur={() => setFocused(undefined)}>
      {runs.map((run) =>
        run.type === 'card' ? (
          <ToolCard key={run.call.toolCallId} part={run.call} state={callState(run.call, live)} session={session} />
        ) : (
          <FoldedCalls key={`folded/${run.calls[0]?.toolCallId}`} {...run} live={live} session={session} />
        ),
      )}
    </div>
  );
}

type FoldedCallsProps = ToolCallsProps & Exclude<CallRun, { type: 'card' }>;

const FoldedCalls = memo(function FoldedCalls({ type, calls, live, session }: FoldedCallsProps) {
  const t = useAllMessages();
  const tools = useTools();
  const name = `folded/${calls[0]?.toolCallId}`;
  const [open, setOpen] = useKeptState(name, false);
  useReveal(
    name,
    calls.map(({ toolCallId }) => toolCallId),
    () => setOpen(true),
  );
  const meant = (call: ToolCallPart) => resolveDelegatedCall(call, (toolName) => tools.get(toolName));
  const failed = calls.filter(({ result }) => result?.type === 'tool-error').length;
  return (
    <div className={`my-0.5 rounded-md border ${open ? 'border-line' : 'border-transparent'}`}>
      <Disclosure
        open={open}
        onOpenChange={setOpen}
        className="w-full items-center gap-2 rounded-md px-1 py-1 text-sm hover:bg-hover"
        arrowClassName="text-muted"
      >
        {type === 'reads' ? (
          <span>{t.tools.readFolded(calls.length)}</span>
        ) : (
          <>
            <span className="min-w-0 flex-1 truncate">
              {t.tools.callsFolded(
                countTools(calls.map(meant), (call) => primaryText(tools.get(call.toolName), readableInput(call))).map(
                  ({ toolName, times, things }) => {
                    const verb = tools.get(toolName)?.presentation.verb ?? 'call';
                    return verb === 'call'
                      ? t.tools.foldedTool(toolName, times)
                      : t.tools.foldedVerbs[verb](times, things);
                  },
                ),
              )}
            </span>
            {failed === 0 ? null : <span className="shrink-0 text-failed text-xs">{t.tools.failedFolded(failed)}</span>}
          </>
        )}
      </Disclosure>
      {open ? (
        <div className="px-2 pb-1">
          {calls.map((part) => (
            <ToolCard key={part.toolCallId} part={part} state={callState(part, live)} session={session} isInFold />
          ))}
        </div>
      ) : (
        // Each call remains a separate group, folded or not.
        <div className="sr-only">
          {calls.map((call) => (
            // biome-ignore lint/a11y/useSemanticElements: a call is a group of its parts, not a set of form fields
            <span key={call.toolCallId} role="group" aria-label={t.tools.group(meant(call).toolName)}>
              {t.tools.states[callState(call, live)]}{' '}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}, haveSameCalls);

/**
 * Checks whether folded calls are unchanged, so that they need not be rendered again. Only finished calls are folded, so
 * `live` need not be compared.
 */
function haveSameCalls(before: FoldedCallsProps, after: FoldedCallsProps): boolean {
  return (
    before.session === after.session &&
    before.calls.length === after.calls.length &&
    before.calls.every((call, index) => call === after.calls[index])
  );
}
