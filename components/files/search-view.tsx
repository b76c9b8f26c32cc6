'use client';

import { CaseSensitive, Regex, ReplaceAll, Replace as ReplaceIcon } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import type { AllMessages } from '#components/i18n/catalog.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { TextMatch, TextMatches } from '#lib/tools/capabilities/workspace-search.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileQuery } from '#studio/file-pane.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { describeFileProblem } from './file-problem.ts';

/** The pause in typing after which the search starts, in milliseconds. */
const SEARCH_DELAY_MS = 150;

/** The time that an outdated search may go on before it is aborted, in milliseconds. */
const PATIENCE_MS = 1_000;

/** The time after which a search shows that it is still running, in milliseconds. */
const SLOW_MS = 500;

/** Maximum number of matches shown. */
const MAX_MATCHES = 500;

/** The matches to replace: all of them, those in one file, or a single one. */
type Scope = Pick<Parameters<OpenedWorkspace['runner']['replace']>[0], 'path' | 'glob' | 'at'>;

type Outcome = { query: FileQuery } & (
  | { type: 'found'; found: TextMatches }
  | { type: 'no-regex'; reason: string }
  | { type: 'failed'; error: unknown }
);

const toTextQuery = ({ pattern, glob, isRegex, matchCase }: FileQuery) => ({
  path: '/',
  glob: glob.trim() === '' ? undefined : glob.trim(),
  pattern,
  isLiteral: !isRegex,
  ignoreCase: !matchCase,
});

/** Searches all text files of the workspace, and replaces the matches. */
export default function SearchView({ workspace }: { workspace: OpenedWorkspace }) {
  const t = useAllMessages();
  const { filePane, edits } = useStudio();
  const kept = filePane.searches.get(workspace.id);
  const [query, setQuery] = useState<FileQuery>(
    kept?.query ?? { pattern: '', glob: '', isRegex: false, matchCase: false },
  );
  const pattern = useRef<HTMLInputElement>(null);
  const asked = useStore(filePane.state, (state) => state.asked);
  useEffect(() => {
    if (filePane.takeFocus(asked)) pattern.current?.focus();
  }, [filePane, asked]);
  const [replacement, setReplacement] = useState(kept?.replacement ?? '');
  useEffect(() => {
    filePane.searches.set(workspace.id, { query, replacement });
  }, [filePane, workspace.id, query, replacement]);
  const [replaced, setReplaced] = useState<string>();
  const outcome = useTextSearch(workspace, query);
  const change = (part: Partial<FileQuery>) => {
    setReplaced(undefined);
    setQuery({ ...query, ...part });
  };
  const [asking, setAsking] = useState<TextMatches>();
  const replace = async (scope: Scope = toTextQuery(query)) => {
    setAsking(undefined);
    try {
      await edits.saveUnder(workspace.id, '/');
      const { files, places } = await workspace.runner.replace(
        { ...toTextQuery(query), replacement, ...scope },
        { abortSignal: new AbortController().signal },
      );
      setReplaced(t.fileSearch.replaced(places, files));
    } catch (error) {
      setReplaced(describe(error, t));
    }
  };
  const isSlow = useIsSlow(query.pattern !== '' && outcome?.query !== query);
  // Replace only what is shown, that is, the matches of this very query.
  const found = outcome?.type === 'found' && outcome.query === query ? outcome.found : undefined;
  const hasMatches = (found?.matches.length ?? 0) > 0;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-col gap-1.5 border-line border-b p-2">
        <div className="flex items-center gap-1">
          <Field
            label={t.fileSearch.pattern}
            placeholder={t.fileSearch.patternHint}
            value={query.pattern}
            ref={pattern}
            onChange={(next) => change({ pattern: next })}
          />
          <Toggle
            label={t.fileSearch.matchCase}
            isOn={query.matchCase}
            onChange={(matchCase) => change({ matchCase })}
            icon={<CaseSensitive aria-hidden size={15} />}
          />
          <Toggle
            label={t.fileSearch.regex}
            isOn={query.isRegex}
            onChange={(isRegex) => change({ isRegex })}
            icon={<Regex aria-hidden size={15} />}
          />
        </div>
        <div className="flex">
          <Field
            label={t.fileSearch.glob}
            placeholder={t.fileSearch.globHint}
            value={query.glob}
            onChange={(glob) => change({ glob })}
          />
        </div>
        <div className="flex items-center gap-1">
          <Field
            label={t.fileSearch.replacement}
            placeholder={t.fileSearch.replacementHint}
            value={replacement}
            onChange={setReplacement}
          />
          <IconButton label={t.fileSearch.replaceAll} disabled={!hasMatches} onClick={() => setAsking(found)}>
            <ReplaceAll aria-hidden size={15} />
          </IconButton>
        </div>
        <p role="status" className="text-muted text-xs empty:hidden">
          {replaced ?? (isSlow ? t.fileSearch.searching : summary(outcome, t))}
        </p>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-1">
        {outcome?.type === 'found' ? (
          <Matches
            matches={outcome.found.matches}
            canReplace={found !== undefined}
            onReplace={(scope) => void replace(scope)}
          />
        ) : null}
      </div>
      {asking === undefined ? null : (
        <ConfirmDialog
          title={confirmTitle(asking, replacement, t)}
          description={t.fileSearch.confirmDetail}
          action={t.fileSearch.replaceAll}
          onConfirm={() => void replace()}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}

/** The question before all matches are replaced: how many, and with what. */
function confirmTitle({ matches, hasMore }: TextMatches, replacement: string, t: AllMessages): string {
  const files = new Set(matches.map(({ path }) => path)).size;
  const lines = hasMore ? t.fileSearch.moreLines(matches.length) : t.fileSearch.lines(matches.length, files);
  return replacement === '' ? t.fileSearch.confirmEmpty(lines) : t.fileSearch.confirm(lines, replacement);
}

function summary(outcome: Outcome | undefined, t: AllMessages): string {
  const texts = t.fileSearch;
  if (outcome === undefined) return '';
  if (outcome.type === 'no-regex') return texts.noRegex(outcome.reason);
  if (outcome.type === 'failed') return describe(outcome.error, t);
  const { matches, hasMore } = outcome.found;
  if (matches.length === 0) return texts.none;
  return hasMore ? texts.more(matches.length) : texts.found(matches.length);
}

/** Tells the user why a search or replacement failed. */
const describe = (error: unknown, t: AllMessages): string =>
  error instanceof ToolFailure && error.code === 'timed-out' ? t.fileSearch.timedOut : describeFileProblem(error, t);

/** Checks whether something has been going on for `SLOW_MS`. */
function useIsSlow(isGoingOn: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isGoingOn) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isSlow;
}

/** Returns the outcome of the latest search; undefined without a pattern. Searches again when the files change. */
function useTextSearch({ runner, fileSystem }: OpenedWorkspace, query: FileQuery): Outcome | undefined {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (query.pattern === '') {
      setOutcome(undefined);
      return;
    }
    const reason = query.isRegex ? whyNoRegex(query.pattern) : undefined;
    if (reason !== undefined) {
      setOutcome({ type: 'no-regex', query, reason });
      return;
    }
    let isCurrent = true;
    let isSearching = false;
    let again = false;
    let search = new AbortController();
    let delay: ReturnType<typeof setTimeout> | undefined;
    const textQuery = { ...toTextQuery(query), contextLines: 0, limit: MAX_MATCHES };
    const run = async () => {
      isSearching = true;
      do {
        again = false;
        search = new AbortController();
        const next = await runner.text(textQuery, { abortSignal: search.signal }).then(
          (found): Outcome => ({ type: 'found', found, query }),
          (error: unknown): Outcome => ({ type: 'failed', query, error }),
        );
        if (!isCurrent) return;
        setOutcome(next);
      } while (again);
      isSearching = false;
    };
    const start = () => {
      clearTimeout(delay);
      delay = setTimeout(() => {
        again = true;
        if (!isSearching) void run();
      }, SEARCH_DELAY_MS);
    };
    start();
    const unwatch = fileSystem.watch(start);
    return () => {
      isCurrent = false;
      unwatch();
      clearTimeout(delay);
      // Aborting a search terminates its worker, so give one that is about to finish a little time.
      const { signal } = search;
      if (isSearching) setTimeout(() => signal.aborted || search.abort(), PATIENCE_MS);
    };
  }, [runner, fileSystem, query]);
  return outcome;
}

/** The browser's explanation of why a pattern is not a valid regular expression; undefined if it is one. */
function whyNoRegex(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(`Invalid regular expression: /${pattern}/: `, '') : '';
  }
}

interface MatchesProps {
  matches: readonly TextMatch[];
  canReplace: boolean;
  /** Replaces the matches in a file, or a single match. */
  onReplace(scope: Scope): void;
}

function Matches({ matches, canReplace, onReplace }: MatchesProps) {
  const t = useAllMessages();
  const { openFile } = useWorkbench();
  const files = Map.groupBy(matches, ({ path }) => path);
  return [...files].map(([path, inFile]) => (
    <section key={path} className="mb-1">
      <div className="group/file flex items-center">
        <h3 className="min-w-0 flex-1 truncate px-1 py-0.5 font-mono text-muted text-xs" title={path}>
          {visibleText(path)}
        </h3>
        <Replace
          label={t.fileSearch.replaceIn(path)}
          disabled={!canReplace}
          onClick={() => onReplace({ path, glob: undefined })}
          icon={<ReplaceAll aria-hidden size={13} />}
        />
      </div>
      <ul>
        {inFile.map(({ line, column, length, text, offset }) => (
          <li key={line} className="group/file flex items-center rounded-sm hover:bg-hover">
            <button
              type="button"
              onClick={() => openFile(path, { line, column, length })}
              className="flex min-w-0 flex-1 items-center gap-2 rounded-sm px-1 py-0.5 text-left font-mono text-[13px]"
            >
              <span className="w-8 shrink-0 text-right text-muted tabular-nums">{line}</span>
              <Found text={text} offset={offset} length={length} />
            </button>
            <Replace
              label={t.fileSearch.replaceAt(path, line)}
              disabled={!canReplace}
              onClick={() => onReplace({ path, glob: undefined, at: { line, column } })}
              icon={<ReplaceIcon aria-hidden size={13} />}
            />
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** The number of characters shown before a match in its line. With more of them, the match itself could be cut off. */
const LEAD_MAX_LENGTH = 12;

function Found({ text, offset, length }: Pick<TextMatch, 'text' | 'offset' | 'length'>) {
  const lead = text.slice(0, offset).trimStart();
  return (
    <span className="truncate whitespace-pre">
      {visibleText(lead.length > LEAD_MAX_LENGTH ? `…${lead.slice(1 - LEAD_MAX_LENGTH)}` : lead)}
      <mark className="rounded-xs bg-accent/25 text-inherit">{visibleText(text.slice(offset, offset + length))}</mark>
      {visibleText(text.slice(offset + length).trimEnd())}
    </span>
  );
}

interface ReplaceProps {
  label: string;
  disabled: boolean;
  icon: ReactNode;
  onClick(): void;
}

const Replace = (props: ReplaceProps) => {
  const { label, disabled, icon, onClick } = props;
  return (
    <IconButton
      label={label}
      disabled={disabled}
      onClick={onClick}
      size="tiny"
      className="opacity-0 focus-visible:opacity-100 group-focus-within/file:opacity-100 group-hover/file:opacity-100 pointer-coarse:opacity-100"
    >
      {icon}
    </IconButton>
  );
};

interface FieldProps {
  label: string;
  /** The text that an empty field shows. */
  placeholder: string;
  value: string;
  ref?: Ref<HTMLInputElement>;
  onChange(value: string): void;
}

function Field({ label, placeholder, value, ref, onChange }: FieldProps) {
  return (
    <input
      ref={ref}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 font-mono text-[13px] placeholder:font-sans placeholder:text-muted"
    />
  );
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  icon: ReactNode;
  onChange(isOn: boolean): void;
}

const Toggle = ({ label, isOn, icon, onChange }: ToggleProps) => (
  <IconButton label={label} aria-pressed={isOn} tone={isOn ? 'accent' : 'muted'} onClick={() => onChange(!isOn)}>
    {icon}
  </IconButton>
);
