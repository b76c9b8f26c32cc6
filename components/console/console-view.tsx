'use client';

import { Ban, ChevronRight, Eraser, Play, RotateCcw, Square, Wrench } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useId,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { KeptStates, KeptStatesContext } from '#components/hooks/kept-state.ts';
import { useSettings, useStudio, useThreads, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useProject } from '#components/project/use-project.ts';
import { IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { tryCall } from '#lib/sources/workspace-tools/trying.ts';
import type { WorkspaceToolFile } from '#lib/sources/workspace-tools/workspace-tool-file.ts';
import { escapeInvisible, lineText, valueText } from '#lib/tools/capabilities/rendered-value.ts';
import type { SandboxFetch } from '#lib/tools/capabilities/sandbox.ts';
import type { PathRule } from '#lib/tools/permission/path-rule.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { ConsoleEntry, SandboxSession } from '#studio/sandbox-sessions.ts';
import type { RequestQuestion } from '#studio/web/person-web.ts';
import { evaluateForPerson, pathRulesApply } from './evaluate.ts';
import { LogRows } from './log-rows.tsx';
import { personFetchIn } from './person-fetch.ts';
import { RequestQuestionBar, useRequestQuestion } from './request-question.tsx';
import { PrintedLine, ShownValue } from './shown-value.tsx';

/** Shows the code that has run in a thread's sandbox, with the results, and a field to run more code. */
export default function ConsoleView() {
  const workspace = useWorkspace();
  // A new thread has a console even before its first message.
  const threadId = useThreads(({ selectedId, draftId }) => selectedId ?? draftId);
  const session = useSandboxSession(threadId);
  const studio = useStudio();
  const { state: project } = useProject();
  useSettings((state) => state.pathRules);
  const t = useAllMessages();
  if (session === undefined) return null;
  return (
    <SessionConsole
      key={threadId}
      session={session}
      fileSystem={workspace?.fileSystem}
      rules={() => studio.settings.getState().pathRules}
      tools={project?.files.flatMap(({ tool }) => tool ?? [])}
      fetchFor={(ask, abortSignal) => personFetchIn(studio, threadId, ask, abortSignal)}
      texts={t.console}
      onReset={() => session.reset()}
    />
  );
}

function useSandboxSession(threadId: string): SandboxSession | undefined {
  const { sandbox } = useStudio();
  const [opened, setOpened] = useState<{ threadId: string; session: SandboxSession }>();
  useEffect(() => {
    let isCurrent = true;
    void sandbox.open(threadId).then((session) => isCurrent && setOpened({ threadId, session }));
    return () => {
      isCurrent = false;
    };
  }, [sandbox, threadId]);
  return opened?.threadId === threadId ? opened?.session : undefined;
}

/** Makes the `fetch` of a piece of the user's code. It calls `ask` for a host that is not allowed yet. */
type FetchFor = (ask: (question: RequestQuestion) => Promise<boolean>, abortSignal: AbortSignal) => SandboxFetch;

interface SessionConsoleProps {
  session: SandboxSession;
  /** The files of the user's code; undefined while they are opening, when no code can run. */
  fileSystem: FileSystem | undefined;
  /** Returns the user's current path rules. Absent for the session of a previewed page, whose code has only its own files. */
  rules?: () => readonly PathRule[];
  /** The workspace's tools, which can be tried here. */
  tools?: readonly WorkspaceToolFile[] | undefined;
  /** Makes the `fetch` of a piece of code. Absent for the session of a previewed page, whose code sends its own requests. */
  fetchFor?: FetchFor;
  /** The texts of the prompt, the empty console, the line at the start of a new session, and the reset button. */
  texts: Readonly<Record<'prompt' | 'empty' | 'began' | 'reset', string>>;
  onReset(): void;
}

/**
 * Shows the code that has run in a sandbox session, with its output, and a field to run more code once there is a
 * `fileSystem`. `rules`: returns the person's path rules, which protect files, and restrict the code only if `pathRulesApply`
 * says so. `tools`: the workspace's tools, which the code can try. `fetchFor`: creates the `fetch` of a piece of code.
 * `onReset`: resets the session.
 */
export function SessionConsole({
  session,
  fileSystem,
  rules = noRules,
  tools,
  fetchFor,
  texts,
  onReset,
}: SessionConsoleProps) {
  const t = useAllMessages();
  const entries = useSyncExternalStore(session.record.subscribe, session.record.getEntries, session.record.getEntries);
  // That a session was reset is not an entry.
  const [, update] = useReducer((count: number) => count + 1, 0);
  const [kept] = useState(() => new KeptStates());
  const keyOf = useCallback((index: number) => entries[index]?.id ?? index, [entries]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-9 shrink-0 items-center justify-end gap-1 border-line border-b px-2">
        <CopyButton label={t.console.copy} text={() => entries.map(entryText).join('\n')} />
        <IconButton label={t.console.clear} size="small" onClick={() => session.record.clear()}>
          <Eraser aria-hidden size={14} />
        </IconButton>
        <IconButton
          label={texts.reset}
          size="small"
          onClick={() => {
            onReset();
            update();
          }}
        >
          <RotateCcw aria-hidden size={14} />
        </IconButton>
      </div>
      <div
        role="log"
        translate="no"
        aria-label={t.console.log}
        className="flex min-h-0 flex-1 flex-col font-mono text-[13px]"
      >
        {entries.length === 0 ? (
          <p className="p-6 text-center font-sans text-muted text-sm">{texts.empty}</p>
        ) : (
          <KeptStatesContext value={kept}>
            <LogRows count={entries.length} keyOf={keyOf} follows className="min-h-0 flex-1">
              {(index) => {
                const entry = entries[index];
                return entry === undefined ? null : <Entry entry={entry} began={texts.began} />;
              }}
            </LogRows>
          </KeptStatesContext>
        )}
      </div>
      {pathRulesApply(session, rules()) ? (
        <p role="status" className="shrink-0 border-line border-t px-3 py-1 text-muted text-xs">
          {t.console.guarded}
        </p>
      ) : null}
      <Prompt {...{ session, fileSystem, rules, tools, fetchFor }} prompt={texts.prompt} />
    </div>
  );
}

const noRules = (): readonly PathRule[] => [];

const Entry = memo(function Entry({ entry, began }: { entry: ConsoleEntry; began: string }) {
  const t = useAllMessages();
  switch (entry.type) {
    case 'began':
      return (
        <p className="break-words border-line border-b px-3 py-1 font-sans text-muted text-xs">
          {began} {entry.name === undefined ? null : <span className="font-mono">{escapeInvisible(entry.name)}</span>}
        </p>
      );
    case 'code':
      return (
        <div className="flex gap-2 border-line border-b bg-sunken px-3 py-1">
          <span className="w-12 shrink-0 font-sans text-muted text-xs leading-5">{t.console.by[entry.by]}</span>
          <pre className="max-h-40 min-w-0 flex-1 overflow-y-auto whitespace-pre-wrap break-words">
            {escapeInvisible(entry.code)}
          </pre>
        </div>
      );
    case 'printed':
      return <PrintedLine name={String(entry.id)} line={entry.line} />;
    case 'value':
      return (
        <div className="flex gap-2 border-line border-b px-3 py-1">
          <ChevronRight aria-hidden size={14} className="mt-0.5 shrink-0 rotate-180 text-muted" />
          <span className="sr-only">{t.tools.value}</span>
          <ShownValue name={String(entry.id)} value={entry.value} />
        </div>
      );
    case 'failure':
      return (
        <p className="whitespace-pre-wrap break-words border-line border-b bg-failed-soft px-3 py-1">{entry.text}</p>
      );
    default: {
      const { directive, target, line } = entry.refusal;
      return (
        <p className="flex gap-2 border-line border-b px-3 py-1 text-waiting">
          <Ban aria-hidden size={14} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">
            {t.console.refused(escapeInvisible(target), escapeInvisible(directive), line)}
          </span>
        </p>
      );
    }
  }
});

function entryText(entry: ConsoleEntry): string {
  switch (entry.type) {
    case 'code':
      return `> ${entry.code}`;
    case 'printed':
      return lineText(entry.line);
    case 'value':
      return valueText(entry.value);
    case 'failure':
      return entry.text;
    case 'refused':
      return `[refused] ${entry.refusal.directive} ${entry.refusal.target}`;
    default:
      return '---';
  }
}

/** Runs the user's code in the same session: Enter runs, Shift-Enter inserts a line break, ↑ recalls the last code. */
function Prompt({
  session,
  fileSystem,
  rules,
  tools = [],
  fetchFor,
  prompt,
}: Pick<SessionConsoleProps, 'session' | 'fileSystem' | 'tools' | 'fetchFor'> & {
  rules(): readonly PathRule[];
  prompt: string;
}) {
  const t = useAllMessages();
  const [code, setCode] = useState('');
  const [running, setRunning] = useState<AbortController>();
  const last = useRef('');
  const promptId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const { asked, ask } = useRequestQuestion();
  const run = async () => {
    if (code.trim() === '' || running !== undefined || fileSystem === undefined) return;
    const controller = new AbortController();
    last.current = code;
    setCode('');
    setRunning(controller);
    const { signal: abortSignal } = controller;
    const fetch = fetchFor?.((question) => ask(question, abortSignal), abortSignal);
    await evaluateForPerson(session, code, fileSystem, { rules, tools, fetch, abortSignal });
    setRunning(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void run();
    } else if (event.key === 'ArrowUp' && code === '') {
      event.preventDefault();
      setCode(last.current);
    } else if (event.key === 'Escape') running?.abort();
  };
  return (
    <>
      {asked === undefined ? null : <RequestQuestionBar asked={asked} hasModelCode={session.hasModelCode} />}
      <div className="flex shrink-0 items-end gap-1 border-line border-t p-2">
        <label htmlFor={promptId} className="sr-only">
          {prompt}
        </label>
        {tools.length === 0 ? null : (
          <Menu
            align="start"
            trigger={
              <IconButton label={t.console.tryTool}>
                <Wrench aria-hidden size={15} />
              </IconButton>
            }
            entries={tools.map((tool) => ({
              label: tool.name,
              onSelect() {
                setCode(tryCall(tool));
                input.current?.focus();
              },
            }))}
          />
        )}
        <textarea
          ref={input}
          id={promptId}
          value={code}
          rows={Math.min(8, code.split('\n').length)}
          placeholder={prompt}
          spellCheck={false}
          onChange={(event) => setCode(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-h-8 min-w-0 flex-1 resize-none rounded-md border border-line-strong bg-surface px-2 py-1.5 font-mono text-[13px] placeholder:font-sans placeholder:text-muted"
        />
        {running === undefined ? (
          <IconButton label={t.console.run} disabled={code.trim() === ''} onClick={() => void run()}>
            <Play aria-hidden size={15} />
          </IconButton>
        ) : (
          <IconButton label={t.console.stop} onClick={() => running.abort()}>
            <Square aria-hidden size={15} />
          </IconButton>
        )}
      </div>
    </>
  );
}
