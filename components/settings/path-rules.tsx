'use client';

import { Trash2 } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { useSettings, useStudio, useThreads, useTools } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Select } from '#components/ui/select.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { PATH_RULE_LIMITS } from '#lib/tools/core/limits.ts';
import { PATH_EFFECTS, PATH_POLICIES, type PathPolicy, type PathRule } from '#lib/tools/permission/path-rule.ts';
import { idleReason, patternProblem } from '#lib/tools/permission/path-rules.ts';
import { callsMatching, type PastCall, readPastCalls } from '#studio/past-calls.ts';

/** The maximum number of past calls that are listed for a rule. */
const LISTED_CALLS = 100;

const INPUT = 'h-8 min-w-0 rounded-md border border-line-strong bg-surface px-2 font-mono text-sm';

/**
 * Edits the user's path rules, which say what tools may do with certain paths. Each rule shows the past calls that it would
 * have matched, and whether it has no effect.
 */
export function PathRules() {
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const rules = useSettings((state) => state.pathRules);
  const calls = usePastCalls();
  const headingId = useId();
  const change = (pathRules: readonly PathRule[]) => void settings.change({ pathRules: [...pathRules] });
  const [keys, removeKey] = useRowKeys(rules.length);
  const rows = rules.map((rule, index) => ({ key: keys[index], rule, index }));
  return (
    <section aria-labelledby={headingId}>
      <h4 id={headingId} className="font-medium text-sm">
        {texts.rules.title}
      </h4>
      <p className="text-muted text-sm">{texts.rules.help}</p>
      {rules.length === 0 ? (
        <p className="mt-1 text-muted text-sm">{texts.rules.none}</p>
      ) : (
        <ul aria-label={texts.rules.title} className="divide-y divide-line">
          {rows.map(({ key, rule, index }) => (
            <RuleRow
              key={key}
              rules={rules}
              index={index}
              calls={calls}
              onChange={(next) => change(rules.with(index, { ...rule, ...next }))}
              onDelete={() => {
                removeKey(index);
                change(rules.toSpliced(index, 1));
              }}
            />
          ))}
        </ul>
      )}
      {rules.length < PATH_RULE_LIMITS.rules ? (
        <NewRule onAdd={(pattern) => change([...rules, { pattern, effects: [...PATH_EFFECTS], policy: 'deny' }])} />
      ) : (
        <p className="text-muted text-sm">{texts.rules.full(PATH_RULE_LIMITS.rules)}</p>
      )}
    </section>
  );
}

/**
 * Returns React keys for rows, and a function to call when a row is removed. The other rows then keep their keys, and with
 * them the text that is being typed.
 */
function useRowKeys(count: number): [keys: readonly number[], remove: (index: number) => void] {
  const [kept, setKept] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...kept) + 1;
  const keys = Array.from({ length: count }, (_, index) => kept[index] ?? next + index - kept.length);
  return [keys, (index) => setKept(keys.toSpliced(index, 1))];
}

interface RuleRowProps {
  rules: readonly PathRule[];
  index: number;
  /** The past calls; undefined while they are being read. */
  calls: readonly PastCall[] | undefined;
  onChange(change: Partial<PathRule>): void;
  onDelete(): void;
}

function RuleRow({ rules, index, calls, onChange, onDelete }: RuleRowProps) {
  const t = useMessages();
  const texts = useSettingsTexts();
  const rule = rules[index];
  const idle = useMemo(() => idleReason(rules, index), [rules, index]);
  if (rule === undefined) return null;
  const { pattern, effects, policy } = rule;
  const shown = visibleText(pattern);
  const toggle = (effect: PathRule['effects'][number], isOn: boolean) =>
    onChange({ effects: PATH_EFFECTS.filter((one) => (one === effect ? isOn : effects.includes(one))) });
  return (
    <li aria-label={texts.rules.rule(shown)} className="py-2">
      <div className="flex flex-wrap items-start gap-2">
        <PatternInput
          label={texts.rules.pattern}
          value={pattern}
          onCommit={(next) => onChange({ pattern: next })}
          className="flex-1 basis-40"
        />
        {PATH_EFFECTS.map((effect) => (
          <label key={effect} className="flex min-h-8 items-center gap-1.5 text-sm">
            <input
              type="checkbox"
              checked={effects.includes(effect)}
              onChange={(event) => toggle(effect, event.target.checked)}
            />
            {texts.effectNames[effect]}
          </label>
        ))}
        <Select
          label={texts.rules.policy(shown)}
          value={policy}
          options={PATH_POLICIES.map((value) => ({ value, label: texts.policies[value] }))}
          onValueChange={(value) => onChange({ policy: value as PathPolicy })}
        />
        <IconButton label={texts.rules.remove(shown)} onClick={onDelete}>
          <Trash2 aria-hidden size={15} />
        </IconButton>
      </div>
      {patternProblem(pattern) === undefined ? null : (
        <p className="mt-1 text-failed text-sm">{texts.rules.unusable}</p>
      )}
      {idle === undefined ? null : (
        <p className="mt-1 text-sm text-waiting">
          {texts.rules.noEffect} {texts.rules.idle(idle, texts.policies)}
        </p>
      )}
      <Matches rule={rule} calls={calls} untitled={t.threads.untitled} />
    </li>
  );
}

/** Shows the number of past calls that a rule would have matched, and lists them when asked. */
function Matches({
  rule,
  calls,
  untitled,
}: {
  rule: PathRule;
  calls: readonly PastCall[] | undefined;
  untitled: string;
}) {
  const texts = useSettingsTexts();
  const [isOpen, setIsOpen] = useState(false);
  const matches = useMemo(() => calls && callsMatching(rule, calls), [rule, calls]);
  if (matches === undefined) return <p className="mt-1 text-muted text-sm">{texts.rules.reading}</p>;
  if (matches.length === 0) return <p className="mt-1 text-muted text-sm">{texts.rules.matched(0)}</p>;
  const more = matches.length - LISTED_CALLS;
  return (
    <div className="mt-1 text-muted text-sm">
      <Disclosure open={isOpen} onOpenChange={setIsOpen} className="items-center gap-1 hover:text-text">
        {texts.rules.matched(matches.length)}
      </Disclosure>
      {isOpen ? (
        <ul aria-label={texts.rules.calls} className="mt-1 max-h-48 overflow-y-auto pl-5">
          {matches.slice(0, LISTED_CALLS).map(({ call, path }) => (
            <li key={call.toolCallId} className="break-words">
              {texts.rules.call(call.toolName, visibleText(path), visibleText(call.threadTitle || untitled))}
            </li>
          ))}
          {more > 0 ? <li>{texts.rules.more(more)}</li> : null}
        </ul>
      ) : null}
    </div>
  );
}

function NewRule({ onAdd }: { onAdd(pattern: string): void }) {
  const texts = useSettingsTexts();
  const [pattern, setPattern] = useState('');
  const [isTried, setIsTried] = useState(false);
  const problemId = useId();
  const problem = patternProblem(pattern.trim());
  return (
    <form
      className="mt-2"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(problem !== undefined);
        if (problem !== undefined) return;
        onAdd(pattern.trim());
        setPattern('');
      }}
    >
      <div className="flex gap-2">
        <input
          aria-label={texts.rules.newPattern}
          aria-invalid={isTried && problem !== undefined}
          aria-describedby={problemId}
          value={pattern}
          placeholder=".env*"
          maxLength={PATH_RULE_LIMITS.pattern}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setPattern(event.target.value)}
          className={`flex-1 ${INPUT}`}
        />
        <Button type="submit">{texts.rules.add}</Button>
      </div>
      <p id={problemId} role="status" className="text-failed text-sm">
        {isTried && problem !== undefined ? texts.rules.problem(problem) : null}
      </p>
    </form>
  );
}

interface PatternInputProps {
  label: string;
  value: string;
  onCommit(value: string): void;
  className: string;
}

/** A field for a rule's pattern. A changed pattern is stored on Enter, or when the field is left, if it is valid. */
function PatternInput({ label, value, onCommit, className }: PatternInputProps) {
  const texts = useSettingsTexts();
  const [draft, setDraft] = useState<string>();
  const problemId = useId();
  const problem = draft === undefined ? undefined : patternProblem(draft.trim());
  const commit = () => {
    if (draft === undefined || problem !== undefined) return;
    setDraft(undefined);
    if (draft.trim() !== value) onCommit(draft.trim());
  };
  return (
    <span className={className}>
      <input
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problemId}
        value={draft ?? value}
        maxLength={PATH_RULE_LIMITS.pattern}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        className={`w-full ${INPUT}`}
      />
      <span id={problemId} role="status" className="block text-failed text-sm">
        {problem === undefined ? null : texts.rules.problem(problem)}
      </span>
    </span>
  );
}

/** Returns the calls with paths in stored threads; undefined until they are read, which happens once; empty if that fails. */
function usePastCalls(): readonly PastCall[] | undefined {
  const { store } = useStudio();
  const tools = useTools();
  const threads = useThreads(({ threads: list }) => list);
  const [first] = useState(() => ({ threads, tools }));
  const [calls, setCalls] = useState<readonly PastCall[]>();
  useEffect(() => {
    const stop = new AbortController();
    readPastCalls(store, first.threads, first.tools, stop.signal).then(
      (found) => stop.signal.aborted || setCalls(found),
      () => stop.signal.aborted || setCalls([]),
    );
    return () => stop.abort();
  }, [store, first]);
  return calls;
}
