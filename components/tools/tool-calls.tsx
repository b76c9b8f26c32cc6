'use client';

import { memo, useState } from 'react';
import { useTools } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { callState, type LiveCalls } from './call-state.ts';
import { ToolCard } from './tool-card.tsx';

/** The number of finished reads from which they are folded. */
const FOLD_FROM = 3;

interface ToolCallsProps {
  /** Consecutive calls. */
  calls: readonly ToolCallPart[];
  live: LiveCalls;
  session: ThreadSession | undefined;
}

/** The calls in order. Several finished reads in a row fold into one line that expands to their cards. */
export default function ToolCalls({ calls, live, session }: ToolCallsProps) {
  const tools = useTools();
  const isFinishedRead = ({ toolName, result }: ToolCallPart): boolean =>
    result?.type === 'tool-result' && tools.get(toolName)?.effect === 'read';
  const runs: ToolCallPart[][] = [];
  for (const call of calls) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (run !== undefined && previous !== undefined && isFinishedRead(previous) && isFinishedRead(call)) run.push(call);
    else runs.push([call]);
  }
  return runs.map((run) =>
    run.length >= FOLD_FROM ? (
      <FoldedReads key={run[0]?.toolCallId} calls={run} live={live} session={session} />
    ) : (
      run.map((part) => <ToolCard key={part.toolCallId} part={part} state={callState(part, live)} session={session} />)
    ),
  );
}

const FoldedReads = memo(function FoldedReads({ calls, live, session }: ToolCallsProps) {
  const t = useMessages();
  const [open, setOpen] = useState(false);
  return (
    <div className="my-1 rounded-md border border-line">
      <Disclosure
        open={open}
        onOpenChange={setOpen}
        className="w-full items-center gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-hover"
        arrowClassName="text-muted"
      >
        <span>{t.tools.readFolded(calls.length)}</span>
      </Disclosure>
      {open ? (
        <div className="px-2 pb-1">
          {calls.map((part) => (
            <ToolCard key={part.toolCallId} part={part} state={callState(part, live)} session={session} />
          ))}
        </div>
      ) : (
        // Each call remains a separate group, folded or not.
        <div className="sr-only">
          {calls.map(({ toolCallId, toolName }) => (
            // biome-ignore lint/a11y/useSemanticElements: a call is a group of its parts, not a set of form fields
            <span key={toolCallId} role="group" aria-label={t.tools.group(toolName)}>
              {t.tools.states.done}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}, haveSameCalls);

/** Finished calls are in no live list, so comparing the calls themselves is enough. */
function haveSameCalls(before: ToolCallsProps, after: ToolCallsProps): boolean {
  return (
    before.session === after.session &&
    before.calls.length === after.calls.length &&
    before.calls.every((call, index) => call === after.calls[index])
  );
}
