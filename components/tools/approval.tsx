'use client';

import { Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useCurrentSettings, useStudio, useTools } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CodeBlock } from '#components/markdown/code-block.tsx';
import { useHasDraft } from '#components/review/use-has-draft.ts';
import { Button } from '#components/ui/button.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { saysOwnNetwork } from '#lib/base/own-network.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ApprovalAnswer } from '#lib/threads/approvals.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { canPropose } from '#lib/tools/core/can-propose.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { reachedHosts } from '#lib/tools/egress/reached-hosts.ts';
import type { CallOrigin } from '#lib/tools/execution/call-origin.ts';
import type { RuledPath } from '#lib/tools/permission/path-rule.ts';
import { isBuiltInToolset, PROJECT, sourceOf } from '#lib/tools/toolset-names.ts';
import { askedSentence } from './asked-sentence.ts';
import { callPhrase } from './call-phrase.ts';
import { isEditing } from './live-tab.ts';
import { ToolArguments } from './tool-details.tsx';
import { touchedFile } from './tool-input.ts';

const ExternalTool = lazyView(() => import('#components/sources/servers/external-tool.tsx'));
const ProposedChanges = lazyView(() => import('#components/review/proposed-changes.tsx'));

interface ApprovalProps {
  part: ToolCallPart;
  /** The call to approve if it is not `part` itself but one that `part` makes while it runs; otherwise undefined. */
  inner: Pick<ToolCall, 'toolName' | 'input'> | undefined;
  input: ReadonlyMap<string, unknown>;
  session: ThreadSession;
}

type Scope = Extract<ApprovalAnswer, { type: 'allow' }>['scope'];

/**
 * Asks for approval of a call: one button for the usual answer, and quieter ones for the others. In the note's field, Enter
 * denies the call with the note, and Esc hides the field; anywhere else in the question, Esc denies the call. Some calls can
 * only be allowed once: those that cannot be undone, those for whose paths a rule of the user asks, and those that may not be
 * the model's own, for example because their text is in a file that the model has read. `inner`: the call to approve if it is
 * one that `part` makes while it runs. `input`: the arguments of `part`, by name.
 */
export function Approval({ part, inner, input: outerInput, session }: ApprovalProps) {
  const t = useAllMessages();
  const [note, setNote] = useKeptState(`note/${part.toolCallId}`, '');
  const [hasNote, setHasNote] = useKeptState(`has-note/${part.toolCallId}`, false);
  const noteId = useId();
  const box = useRef<HTMLDivElement>(null);
  const tools = useTools();
  const tool = tools.get(inner?.toolName ?? part.toolName);
  const { tabs } = useStudio();
  const { showEditor } = useWorkbench();
  const { reviews } = useCurrentSettings();
  const [isStale, setStale] = useState(false);
  const hasDraft = useHasDraft(part.toolCallId);
  const [isShown, setShown] = useState(false);
  const onShown = useCallback(() => setShown(true), []);
  const { origin } = part;
  const askedPaths = session.askedPaths(inner ?? part);
  const isProposal = inner === undefined && tool !== undefined && canPropose(tool);
  const isReview = isProposal && session.isReview(part.toolCallId);
  const path = touchedFile(tool, part) ?? '/';
  const isPlain = origin === undefined && askedPaths.length === 0 && tool?.destructive !== true;
  useEffect(() => {
    const turnId = session.getSnapshot().branch.at(-1)?.id;
    // While the person reviews changes of this turn, the next ones open by themselves.
    if (isReview && isPlain && turnId !== undefined && tabs.isReviewing(turnId) && !isEditing())
      tabs.openReview(path, part.toolCallId);
  }, [session, tabs, isReview, isPlain, path, part.toolCallId]);
  if (tool === undefined) return null;
  const input = inner === undefined ? outerInput : new Map(Object.entries(inner.input ?? {}));
  // A person who reviews changes in this thread is asked about each of them, whatever was allowed.
  const isOnlyOnce =
    origin !== undefined ||
    askedPaths.length > 0 ||
    tool.destructive === true ||
    (reviews === true && tool.effect === 'write');
  // The question disappears; the focus stays at its card.
  const leave = () => box.current?.closest('[role="group"]')?.querySelector('button')?.focus();
  const source = sourceOf(tool.toolset)?.name;
  const reached = reachedHosts(tool, Object.fromEntries(input));
  const listed = new Intl.ListFormat(t.locale);
  const hosts = listed.format(reached);
  const places = listed.format(reached.map((host) => (saysOwnNetwork(host) ? t.tools.onOwnNetwork(host) : host)));
  const said = hasNote ? note.trim() : '';
  const review = () => {
    tabs.openReview(path, part.toolCallId);
    showEditor();
  };
  // Nobody can allow a tool that they have not seen.
  const isUnseen = !isBuiltInToolset(tool.toolset) && !isShown;
  const allow = (scope: Scope) => {
    if (isUnseen) return;
    leave();
    void session.answer(part.toolCallId, { type: 'allow', scope, ...(said !== '' && { note: said }) });
  };
  const deny = () => {
    leave();
    const reason = said === '' ? t.tools.denied : t.tools.deniedWith(said);
    void session.answer(part.toolCallId, { type: 'deny', reason });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter and Esc act for the buttons inside
    <div
      ref={box}
      className="@container my-2 rounded-md bg-waiting-soft p-3 text-sm"
      onKeyDown={(event) => {
        const isSent = event.key === 'Enter' && event.target instanceof HTMLInputElement;
        if (event.key !== 'Escape' && !isSent) return;
        event.preventDefault();
        event.stopPropagation();
        // In the note, Esc hides the field. The text is kept, in case that was a slip.
        if (event.key === 'Escape' && event.target instanceof HTMLInputElement) setHasNote(false);
        else deny();
      }}
    >
      <p className="break-words font-medium">{askedSentence(tool, input, t)}</p>
      {hosts === '' ? null : <p className="mt-1 break-words">{t.tools.reachedHosts(places)}</p>}
      {isBuiltInToolset(tool.toolset) ? null : (
        <Suspense>
          <ExternalTool tool={tool} onShown={onShown} />
        </Suspense>
      )}
      {inner === undefined ? null : <ToolArguments tool={tool} input={input} wraps />}
      {isProposal ? (
        <Suspense fallback={<Spinner />}>
          <ProposedChanges session={session} toolCallId={part.toolCallId} onStale={setStale} />
        </Suspense>
      ) : null}
      <AskedPaths paths={askedPaths} />
      {origin === undefined ? null : <Origin origin={origin} />}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {isReview ? (
          <Button variant="primary" data-review-opener="" onClick={review}>
            {hasDraft ? t.tools.continueReview : t.tools.review}
          </Button>
        ) : null}
        {/* A file that has changed since the model read it can only be written as reviewed. */}
        {isReview && isStale ? null : (
          <Button variant={isReview ? 'secondary' : 'primary'} disabled={isUnseen} onClick={() => allow('once')}>
            {t.tools.allowOnce}
          </Button>
        )}
        <Button onClick={deny}>{t.tools.deny}</Button>
        {isProposal && !isReview ? (
          <Button variant="ghost" data-review-opener="" onClick={review}>
            {hasDraft ? t.tools.continueReview : t.tools.review}
          </Button>
        ) : null}
        {hasNote ? null : (
          <Button variant="ghost" onClick={() => setHasNote(true)}>
            {t.tools.denyWithNote}
          </Button>
        )}
      </div>
      {hasNote ? (
        <>
          <label htmlFor={noteId} className="mt-3 block text-muted text-xs">
            {t.tools.note}
          </label>
          <input
            id={noteId}
            // The person has just opened the field.
            // biome-ignore lint/a11y/noAutofocus: see above
            autoFocus={note === ''}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            className="mt-0.5 h-8 w-full rounded-md border border-line-strong bg-surface px-2"
          />
        </>
      ) : null}
      {isOnlyOnce || isUnseen ? null : (
        <dl className="mt-3 grid gap-x-3 gap-y-1 border-line border-t pt-2 text-muted text-xs @md:grid-cols-[auto_1fr]">
          <Further
            label={t.tools.allowThread}
            help={
              hosts === '' ? t.tools.threadScope(callPhrase(tool, tool.name, 'waiting', t)) : t.tools.threadHosts(hosts)
            }
            onAllow={() => allow('thread')}
          />
          <Further
            label={t.tools.alwaysAllow}
            help={
              hosts !== ''
                ? t.tools.alwaysHosts(hosts)
                : source === undefined
                  ? tool.toolset === PROJECT
                    ? t.tools.alwaysProject(tool.effect)
                    : t.tools.alwaysScope(tool.toolset, tool.effect, toolsetName(tool.toolset, t))
                  : t.tools.alwaysServer(source)
            }
            onAllow={() => allow('always')}
          />
        </dl>
      )}
    </div>
  );
}

/** A button that allows more than this call, and a text about exactly what it allows. */
function Further({ label, help, onAllow }: { label: string; help: string; onAllow(): void }) {
  const helpId = useId();
  return (
    <>
      <dt>
        <button
          type="button"
          aria-describedby={helpId}
          onClick={onAllow}
          className="min-h-6 rounded-sm text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
        >
          {label}
        </button>
      </dt>
      <dd id={helpId} className="self-center">
        {help}
      </dd>
    </>
  );
}

/** The maximum number of paths that a question names. */
const NAMED_PATHS = 5;

/** Lists the paths of the call for which a rule of the user asks. */
function AskedPaths({ paths }: { paths: readonly RuledPath[] }) {
  const t = useAllMessages();
  const patterns = new Map(paths.map(({ path, pattern }) => [path, pattern]));
  if (patterns.size === 0) return null;
  return (
    <ul className="mt-2">
      {[...patterns].slice(0, NAMED_PATHS).map(([path, pattern]) => (
        <li key={path} className="break-words">
          {t.tools.ruleAsks(visibleText(path), visibleText(pattern))}
        </li>
      ))}
      {patterns.size > NAMED_PATHS ? <li>{t.tools.moreEntries(patterns.size - NAMED_PATHS)}</li> : null}
    </ul>
  );
}

/** Says why a call may not be the model's own, such as that its text is in a file that the model has read, with an excerpt. */
function Origin({ origin }: { origin: CallOrigin }) {
  const t = useAllMessages();
  return (
    <div className="mt-2">
      <p className="font-medium">{t.tools.origin(origin)}</p>
      {origin.excerpt === '' ? null : <CodeBlock code={visibleText(origin.excerpt)} label={t.tools.originExcerpt} />}
    </div>
  );
}
