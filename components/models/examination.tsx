'use client';

import { Check, CircleAlert, Info } from 'lucide-react';
import { useState } from 'react';
import { useModelRecord, useStudio } from '#components/hooks/studio-provider.tsx';
import { useExamination } from '#components/hooks/use-examination.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ModelTexts } from '#components/i18n/model-texts.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import {
  CHECKS,
  type Check as CheckName,
  EXAMINATION_REQUESTS_MAX,
  type ExaminationReport,
  examinationReportSchema,
  type Finding,
} from '#lib/wire/examination.ts';
import type { ModelInfo } from '#lib/wire/models.ts';
import type { ExaminationProgress, ExaminationState } from '#studio/examinations.ts';
import { describeConnectionProblem } from './connection-problem.ts';
import { describeUseValue } from './describe-use.ts';

/**
 * A button that starts or stops the examination of a model, which tests how tools work best with it; the progress; and the
 * report of the last examination.
 */
export function Examination({ model }: { model: ModelInfo }) {
  const texts = useModelTexts();
  const { examinations, state } = useExamination(model.endpoint);
  const record = useModelRecord(model.endpoint);
  const [measuresWindow, setMeasuresWindow] = useState(false);
  const report = examinationReportSchema.safeParse(record?.examination?.report).data;

  // One button, so that the focus stays where it is.
  const isRunning = state?.type === 'running';
  const label = isRunning ? texts.use.stop : report === undefined ? texts.use.examine : texts.use.examineAgain;
  return (
    <>
      {isRunning ? (
        <ProgressList {...state} />
      ) : (
        <>
          <Ending state={state} />
          {report === undefined ? null : <Report report={report} model={model} />}
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={measuresWindow}
              onChange={(event) => setMeasuresWindow(event.target.checked)}
            />
            {texts.use.measure}
          </label>
        </>
      )}
      <div>
        <Button
          variant={isRunning || report !== undefined ? 'secondary' : 'primary'}
          onClick={({ detail: clicks }) => {
            // The second click of a double click would stop what the first has started.
            if (clicks > 1) return;
            if (isRunning) examinations.stop(model.endpoint);
            else void examinations.start(model, measuresWindow);
          }}
        >
          {label}
        </Button>
      </div>
    </>
  );
}

/** Shows how the latest examination ended, unless its report was stored. */
function Ending({ state }: { state: Exclude<ExaminationState, { type: 'running' }> | undefined }) {
  const texts = useModelTexts();
  if (state === undefined) return null;
  if (state.type === 'unfinished')
    return (
      <>
        <Verdict report={state.report} />
        <FindingList findings={state.report.findings} checks={CHECKS} />
      </>
    );
  return (
    <p role="alert" className="text-failed text-sm">
      {state.type === 'failed' ? failureIn(state.error, texts) : texts.use.endings[state.type]}
    </p>
  );
}

function failureIn(error: unknown, texts: ModelTexts): string {
  const { text, detail } = describeConnectionProblem(error, texts);
  return `${texts.use.failed} ${text === texts.connections.unknownProblem ? detail : text}`;
}

/** Shows the check that is running, and the findings so far. */
function ProgressList({ check, requests, findings }: ExaminationProgress) {
  const texts = useModelTexts();
  const reached = check === undefined ? -1 : CHECKS.indexOf(check);
  const shown = CHECKS.filter(
    (one, index) => index <= reached && (one === check || findings.some((finding) => finding.check === one)),
  );
  return (
    <div role="status" aria-label={texts.use.running} className="grid gap-2 text-sm">
      <p className="flex items-center gap-2">
        <Spinner /> {check === undefined ? texts.use.running : texts.use.checks[check]}
        {requests === 0 ? null : (
          <span className="text-muted">{texts.use.requests(requests, EXAMINATION_REQUESTS_MAX)}</span>
        )}
      </p>
      <FindingList findings={findings} checks={shown} />
      <p className="text-muted">{texts.use.goesOn}</p>
    </div>
  );
}

function FindingList({ findings, checks }: { findings: readonly Finding[]; checks: readonly CheckName[] }) {
  const texts = useModelTexts();
  const t = useMessages();
  const found = checks.filter((check) => findings.some((finding) => finding.check === check));
  if (found.length === 0) return null;
  return (
    <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[14rem_1fr]">
      {found.map((check) => (
        <div key={check} className="contents">
          <dt className="text-muted">{texts.use.checks[check]}</dt>
          <dd className="grid gap-1">
            {findings
              .filter((finding) => finding.check === check)
              .map((finding) => (
                <span key={finding.code} className="flex min-w-0 items-start gap-2">
                  <FindingIcon code={finding.code} />
                  <span className="min-w-0 break-words">{wordsFor(finding, texts, t.locale)}</span>
                </span>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The codes of findings that are fine. */
const FINE: ReadonlySet<string> = new Set([
  ...['kept', 'native', 'streamed', 'together', 'one', 'answered', 'reasoning-apart', 'readable', 'said', 'reached'],
]);
/** The codes of findings that the studio can work with. All codes that are neither here nor in `FINE` are trouble. */
const NEUTRAL: ReadonlySet<string> = new Set([
  ...['not-counted', 'inexact', 'at-once', 'arguments-as-object', 'no-finish-reason', 'same-index', 'same-id'],
  ...['reasoning-in-text', 'asks-first', 'unknown'],
]);

function FindingIcon({ code }: { code: string }) {
  if (FINE.has(code)) return <Check aria-hidden size={14} className="mt-0.5 shrink-0 text-done" />;
  if (NEUTRAL.has(code)) return <Info aria-hidden size={14} className="mt-0.5 shrink-0 text-muted" />;
  return <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0 text-failed" />;
}

/** A finding in words; its code if another version of the studio has made it and there are no words. */
function wordsFor({ check, code, value }: Finding, texts: ModelTexts, locale: string): string {
  const known = texts.use.findings[check] ?? {};
  const words = (Object.hasOwn(known, code) ? known[code] : undefined) ?? code;
  if (typeof words === 'string') return words;
  return words(typeof value === 'number' ? value.toLocaleString(locale) : (value ?? '')).trim();
}

/** The text for a code; undefined for a code that only another version of the studio has. */
const textOf = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code] : undefined;

function Verdict({ report: { verdict, because, detail } }: { report: ExaminationReport }) {
  const t = useAllMessages();
  const texts = useModelTexts();
  const why = textOf({ ...t.problems, ...t.errors.codes, ...texts.use.reasons }, because);
  const kind = verdict === 'unusable' && detail !== undefined ? 'failed' : verdict;
  const title = texts.use.verdicts[kind];
  return (
    <div role="status" className="text-sm">
      <p className={`font-medium ${verdict === 'native' || verdict === 'prompted' ? '' : 'text-failed'}`}>{title}</p>
      <p>{[why ?? t.errors.unknown, texts.use.nextSteps[kind]].filter(Boolean).join(' ')}</p>
      {detail === undefined ? null : (
        <>
          <p className="mt-1 line-clamp-4 font-mono text-xs">{detail}</p>
          <CopyButton withText className="mt-2" label={t.common.copyDetails} text={() => `${because}: ${detail}`} />
        </>
      )}
    </div>
  );
}

function Report({ report, model }: { report: ExaminationReport; model: ModelInfo }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { modelRecords } = useStudio();
  const examination = useModelRecord(model.endpoint)?.examination;
  if (examination === undefined) return null;
  const { because, findings, use, recommendations, requests, inputTokens, outputTokens, at } = report;
  const isThisUsed = examination.isUsed && JSON.stringify(examination.use) === JSON.stringify(use);
  const decide = (isUsed: boolean) =>
    void modelRecords.change(model.endpoint, (known) => ({
      ...known,
      examination: { report, use, isUsed, isDeclined: !isUsed },
    }));
  const overruled = recommendations.filter(({ setting }) => {
    const decided = model.use.file?.[setting] ?? model.use.person?.[setting];
    return decided !== undefined && decided !== use[setting];
  });
  const usedText =
    overruled.length === 0
      ? texts.use.isUsed
      : texts.use.isUsedExcept(overruled.map(({ setting }) => texts.use.names[setting]));
  const unusedText = examination.isDeclined === true ? texts.use.isDeclined : texts.use.isNotUsed;
  const state = isThisUsed ? usedText : examination.isUsed ? texts.use.isEarlierUsed : unusedText;
  return (
    <div className="grid gap-3 rounded-md border border-line p-3 text-sm">
      <Verdict report={report} />
      <FindingList findings={findings} checks={CHECKS} />
      {recommendations.length === 0 ? null : (
        <>
          <ul className="grid gap-1 border-line border-t pt-3">
            {recommendations.map(({ setting, because: reason }) => (
              <li key={setting}>
                <span className="font-medium">
                  {texts.use.recommended(
                    texts.use.names[setting],
                    describeUseValue(texts, t.locale, setting, use[setting]),
                  )}
                </span>{' '}
                {reason === because ? null : <span className="text-muted">{textOf(texts.use.reasons, reason)}</span>}
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap items-center gap-2">
            <Button
              variant={isThisUsed ? 'secondary' : 'primary'}
              aria-pressed={isThisUsed}
              onClick={() => decide(true)}
            >
              {texts.use.useThis}
            </Button>
            <Button aria-pressed={examination.isDeclined === true} onClick={() => decide(false)}>
              {texts.use.keepMine}
            </Button>
            <span className="text-muted">{state}</span>
          </div>
        </>
      )}
      <p className="text-muted text-xs">
        {texts.use.examinedAt(
          new Date(at).toLocaleDateString(t.locale),
          requests,
          inputTokens + outputTokens === 0 ? undefined : (inputTokens + outputTokens).toLocaleString(t.locale),
        )}
      </p>
    </div>
  );
}
