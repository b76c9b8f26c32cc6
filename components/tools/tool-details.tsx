'use client';

import { FileText } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { LogRows } from '#components/console/log-rows.tsx';
import { PrintedLine, ShownValue } from '#components/console/shown-value.tsx';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CodeBlock } from '#components/markdown/code-block.tsx';
import { languageOfPath } from '#components/markdown/languages.ts';
import { Button } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { JavaScriptOutcome } from '#lib/tools/capabilities/rendered-value.ts';
import { javaScriptOutcomeSchema } from '#lib/tools/capabilities/rendered-value.ts';
import { canPropose } from '#lib/tools/core/can-propose.ts';
import { presentedArguments } from '#lib/tools/core/presentation.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { CallState } from './call-state.ts';
import { ResultContent } from './result-content.tsx';
import { shownArgument } from './shown-argument.ts';
import { touchedFile } from './tool-input.ts';

const CallChanges = lazyView(() => import('#components/review/call-changes.tsx'));

interface ToolDetailsProps {
  /** The call's tool; undefined if it does not exist here, or not anymore. */
  tool: Tool | undefined;
  part: ToolCallPart;
  /** The call as the model made it. It differs from `part` if it only names the tool and arguments to call. */
  made: ToolCallPart;
  input: ReadonlyMap<string, unknown>;
  state: CallState;
}

/**
 * The content of a call's card: its arguments as they arrive, its result or changes, and the raw call (`made`), as the model
 * wrote it. `part` is another call if the raw one only names the tool and the arguments to call.
 */
export function ToolDetails({ tool, part, made, input, state }: ToolDetailsProps) {
  const t = useAllMessages();
  const { openFile } = useWorkbench();
  const file = touchedFile(tool, part);
  const isWrite = tool !== undefined && canPropose(tool);
  const hasChanged = part.result?.changed !== undefined;
  const given = <CallArguments tool={tool} part={part} input={input} state={state} />;
  return (
    <>
      {/* The text that a call writes is shown as changes: those that it has made, or those that it asks about. */}
      {isWrite && hasChanged ? null : isWrite && state === 'asking' ? (
        <OtherArguments tool={tool} input={input} />
      ) : (
        given
      )}
      {part.result?.type === 'tool-error' || !(isWrite && hasChanged) ? <ToolOutcome tool={tool} part={part} /> : null}
      {hasChanged ? (
        <Suspense fallback={<Spinner />}>
          <CallChanges calls={[part.toolCallId]} fallback={isWrite ? given : null} />
        </Suspense>
      ) : null}
      <RawCall part={made} />
      {file !== undefined && state === 'done' ? (
        <Button className="mt-1 mb-1" onClick={() => openFile(file)}>
          <FileText aria-hidden size={14} />
          <span data-unsearched="">{t.tools.openFile}</span>
        </Button>
      ) : null}
    </>
  );
}

/** Shows the name and the arguments of a call as the model gave them, when asked. */
function RawCall({ part }: { part: ToolCallPart }) {
  const t = useAllMessages();
  const [isOpen, setOpen] = useKeptState(`raw/${part.toolCallId}`, false);
  if (part.inputState === 'streaming') return null;
  return (
    <div data-unsearched="">
      <Disclosure open={isOpen} onOpenChange={setOpen} className="items-center gap-1 py-1 text-muted text-xs">
        {t.tools.rawCall}
      </Disclosure>
      {isOpen ? (
        <CodeBlock
          code={JSON.stringify({ name: part.toolName, arguments: part.input ?? part.inputText }, null, 2)}
          language="json"
          label={part.toolName}
        />
      ) : null}
    </div>
  );
}

/** Shows a call's arguments; as raw text or JSON if they do not match the tool. */
function CallArguments({
  tool,
  part,
  input,
  state,
}: {
  tool: Tool | undefined;
  part: ToolCallPart;
  input: ReadonlyMap<string, unknown>;
  state: CallState;
}) {
  const t = useAllMessages();
  if (part.inputState === 'invalid') return <CodeBlock code={part.inputText ?? ''} label={t.tools.arguments} />;
  if (part.result?.type === 'tool-error' && part.result.code === 'invalid-input')
    return <CodeBlock code={JSON.stringify(part.input, null, 2)} language="json" label={t.tools.arguments} />;
  return <ToolArguments tool={tool} input={input} streaming={state === 'writing'} wraps={state === 'asking'} />;
}

/** Shows a call's arguments: as code the one that cards of its tool show in full, if there is one, and the others by name. */
export function ToolArguments({
  tool,
  input,
  streaming = false,
  wraps = false,
}: {
  tool: Tool | undefined;
  input: ReadonlyMap<string, unknown>;
  streaming?: boolean;
  /** Whether long lines of code wrap, because the person is to decide about the call. */
  wraps?: boolean;
}) {
  const t = useAllMessages();
  const shown = shownArgument(tool, input);
  const entries = [...input].filter(([name]) => shown === undefined || !shown.covers.includes(name));
  if (shown === undefined && entries.length === 0) return <p className="py-2 text-muted text-sm">{t.tools.nothing}</p>;
  return (
    <>
      {shown === undefined ? null : (
        <CodeBlock
          code={shown.code}
          language={shown.language}
          streaming={streaming}
          wraps={wraps}
          {...(shown.label !== undefined && { label: shown.label })}
        />
      )}
      <NamedArguments entries={entries} />
    </>
  );
}

/** Shows the arguments that the view of the call's changes does not show: all but paths and written text. */
function OtherArguments({ tool, input }: { tool: Tool; input: ReadonlyMap<string, unknown> }) {
  const covered = new Set([...presentedArguments(tool.presentation), ...(shownArgument(tool, input)?.covers ?? [])]);
  return <NamedArguments entries={[...input].filter(([name]) => !covered.has(name))} />;
}

function NamedArguments({ entries }: { entries: readonly (readonly [string, unknown])[] }) {
  if (entries.length === 0) return null;
  return (
    <dl className="my-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-[13px]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt data-unsearched="" className="text-muted">
            {visibleText(name)}
          </dt>
          <dd translate="no" className="min-w-0 whitespace-pre-wrap break-words font-mono">
            {visibleText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ToolOutcome({ tool, part }: { tool: Tool | undefined; part: ToolCallPart }): ReactNode {
  const t = useAllMessages();
  const { result } = part;
  if (result === undefined) return null;
  if (result.type === 'tool-error') {
    return (
      <div className="my-2 rounded-md bg-failed-soft p-2 text-[13px]">
        <p data-unsearched="" className="text-muted text-xs">
          {t.tools.toModel}
        </p>
        <p className="whitespace-pre-wrap break-words font-mono">{result.message}</p>
      </div>
    );
  }
  const { content, data } = result.output;
  const view = tool?.presentation.result;
  switch (view) {
    case 'nothing':
      return null;
    case 'value': {
      const evaluation = evaluationOf(data);
      return evaluation === undefined ? (
        <ResultContent content={content} />
      ) : (
        <EvaluationResult name={part.toolCallId} outcome={evaluation} />
      );
    }
    case 'code':
      return <ResultContent content={content} language={languageOfPath(touchedFile(tool, part) ?? '')} />;
    case 'diff':
      return <ResultContent content={content} language="diff" />;
    default:
      return <ResultContent content={content} />;
  }
}

/** If there are more printed lines, a card shows them in an element that scrolls. */
const LINES_SHOWN = 20;

function EvaluationResult({ name, outcome }: { name: string; outcome: JavaScriptOutcome }) {
  const t = useAllMessages();
  return (
    <div translate="no" className="my-2 rounded-md border border-line bg-sunken font-mono text-[13px]">
      {outcome.hasNoDom || outcome.sharesHost ? (
        <p data-unsearched="" className="border-line border-b px-3 py-1 font-sans text-waiting text-xs">
          {outcome.hasNoDom ? t.tools.sandboxHasNoDom : t.tools.sandboxSharesHost}
        </p>
      ) : null}
      {outcome.console.length <= LINES_SHOWN ? (
        outcome.console.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: printed lines never change
          <PrintedLine key={index} name={`${name}/${index}`} line={line} />
        ))
      ) : (
        <LogRows count={outcome.console.length} keyOf={String} follows={false} className="max-h-96">
          {(index) => {
            const line = outcome.console[index];
            return line === undefined ? null : <PrintedLine name={`${name}/${index}`} line={line} />;
          }}
        </LogRows>
      )}
      {outcome.value === undefined ? null : (
        <div className="flex gap-2 px-3 py-1.5">
          <span data-unsearched="" className="font-sans text-muted text-xs leading-5">
            {t.tools.value}
          </span>
          <div className="min-w-0 flex-1">
            <ShownValue name={`${name}/value`} value={outcome.value} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Reads the stored outcome of an evaluation; undefined if an earlier version stored it in a different form. */
function evaluationOf(data: unknown): JavaScriptOutcome | undefined {
  const parsed = javaScriptOutcomeSchema.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}
