'use client';

import { Square, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { valueText } from '#lib/tools/capabilities/rendered-value.ts';
import type { CodeRun, CodeRunState } from './code-run.ts';
import { RequestQuestionBar } from './request-question.tsx';
import { PrintedLine, ShownValue } from './shown-value.tsx';

interface CodeRunViewProps {
  run: CodeRun;
  /** A prefix of the names under which it is kept what is open. */
  name: string;
  onClose(): void;
}

/**
 * The output of code of an answer, below the code: what it prints as it prints it, and its value or its error. Stops the
 * code when asked, and asks the person about requests of the code.
 */
export default function CodeRunView({ run, name, onClose }: CodeRunViewProps) {
  const t = useAllMessages();
  const texts = useMarkdownTexts();
  const state = useSyncExternalStore(run.subscribe, run.getState, run.getState);
  const { status, lines, left, failure, asked } = state;
  const value = shownValue(state);
  return (
    <section
      aria-label={texts.output}
      data-unsearched=""
      data-run={status}
      className="border-line border-t font-mono text-[13px]"
    >
      <div className="flex min-h-8 items-center gap-2 pl-3 font-sans text-muted text-xs">
        <p role="status" className="flex flex-1 items-center gap-2">
          {status === 'running' ? <Spinner /> : null}
          {texts.runStates[status]}
          {status === 'done' && lines.length === 0 && value === undefined ? ` ${texts.noOutput}` : ''}
        </p>
        {status === 'running' ? (
          <IconButton label={texts.stopCode} onClick={() => run.stop()}>
            <Square aria-hidden size={14} />
          </IconButton>
        ) : (
          <IconButton label={texts.closeOutput} onClick={onClose}>
            <X aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {asked === undefined ? null : (
        <div className="font-sans">
          <RequestQuestionBar asked={asked} hasModelCode={asked.hasModelCode} />
        </div>
      )}
      {left === 0 ? null : (
        <p className="border-line border-t px-3 py-1 font-sans text-muted text-xs">{texts.earlierLines(left)}</p>
      )}
      {lines.length === 0 && value === undefined && failure === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <div tabIndex={0} className="max-h-80 overflow-y-auto border-line border-t">
          {lines.map(({ number, line }) => (
            <PrintedLine key={number} name={`${name}/${number}`} line={line} />
          ))}
          {value === undefined ? null : (
            <div className="flex gap-2 px-3 py-1">
              <span aria-hidden className="text-muted">
                =&gt;
              </span>
              <span className="sr-only">{t.tools.value}</span>
              <ShownValue name={`${name}/value`} value={value} />
            </div>
          )}
          {failure === undefined ? null : (
            <p className="whitespace-pre-wrap break-words bg-failed-soft px-3 py-1">{failure}</p>
          )}
        </div>
      )}
    </section>
  );
}

/** The value of the code, unless it is `undefined`: most code has none. */
const shownValue = ({ value }: CodeRunState) =>
  value === undefined || valueText(value) === 'undefined' ? undefined : value;
