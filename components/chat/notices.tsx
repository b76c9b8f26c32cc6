'use client';

import { Info } from 'lucide-react';
import { useEffect } from 'react';
import { useModelRecord, useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { noticeTexts } from '#components/i18n/notice-texts.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { Notice } from '#lib/messages/message.ts';
import { findModel } from '#studio/models.ts';

/**
 * Shows what the user should know about a step, a line for each notice, for example that parts of the history or some tools did
 * not fit into its prompt. `modelId`: the id of the step's model, which lines name and, if it may be the cause, offer to
 * examine.
 */
export default function Notices({ notices, modelId }: { notices: readonly Notice[]; modelId: string }) {
  const t = useAllMessages();
  const texts = t.notices ?? noticeTexts;
  const { models } = useStudio();
  const model = useModels((state) => findModel(state, modelId));
  const isNews = notices.some(isFallback) && model?.toolsRefused === false;
  const { openModelSettings } = useWorkbench();
  // A person who has examined the model already knows about the trouble.
  const isNew = useModelRecord(model?.endpoint ?? '')?.examination === undefined;
  useEffect(() => {
    if (isNews) void models.refresh();
  }, [isNews, models]);
  return notices.map((notice) => (
    <p key={notice.code} className="my-block flex items-start gap-2 text-muted text-sm">
      <Info aria-hidden size={15} className="mt-1 shrink-0" />
      <span>
        {wordsFor(notice, texts, t.locale, model?.name)}
        {isTrouble(notice) && isNew && model !== undefined ? (
          <>
            {' '}
            <button type="button" data-inline className="underline" onClick={() => openModelSettings(model.id)}>
              {texts.examine}
            </button>
          </>
        ) : null}
        {(notice.code === 'history-trimmed' || notice.code === 'tools-left-out') && model?.contextSize === null
          ? ` ${t.contextUse.unknown(model.name)}`
          : null}
      </span>
    </p>
  ));
}

/** Checks whether an examination of the model may explain a notice. */
const isTrouble = ({ code }: Notice): boolean =>
  code === 'tools-refused' ||
  code === 'calls-in-text' ||
  code === 'call-unreadable' ||
  code === 'prose-only' ||
  code === 'window-learned';

/** Checks whether a notice says that tools are described in the prompt from its step on. */
const isFallback = (notice: Notice): boolean =>
  notice.code === 'tools-refused' || (notice.code === 'calls-in-text' && notice.isGivenUp);

function wordsFor(notice: Notice, texts: typeof noticeTexts, locale: string, modelName: string | undefined): string {
  const format = (n: number) => n.toLocaleString(locale);
  switch (notice.code) {
    case 'step-limit':
      return texts.stepLimit(notice.steps);
    case 'repeated-calls':
      return texts.repeatedCalls(notice.toolName);
    case 'history-trimmed':
      return texts.historyTrimmed(notice.messages);
    case 'result-cut':
      return texts.resultCut(notice.toolName, format(notice.kept), format(notice.total));
    case 'window-learned': {
      const { window, sent, read } = notice;
      const name = modelName ?? notice.model;
      if (read === undefined) return texts.windowRefused(name, format(window));
      return texts.windowCut(name, { window: format(window), sent: format(sent), read: format(read) });
    }
    case 'tools-left-out':
      return texts.toolsLeftOut(format(notice.contextTokens), notice.toolNames);
    case 'instructions-changed':
      return texts.instructionsChanged(notice.paths);
    case 'tools-refused':
      return texts.toolsRefused(modelName ?? notice.model);
    case 'calls-in-text':
      return texts.callsInText(modelName ?? notice.model, notice.isGivenUp);
    case 'prose-only':
      return texts.proseOnly(modelName ?? notice.model, format(notice.answers), notice.toolCalling);
    case 'thought-as-answer':
      return texts.thoughtAsAnswer;
    case 'call-unreadable':
      return texts.callUnreadable(notice.toolName, notice.askedAgain);
    case 'call-postponed':
      return texts.callPostponed(notice.toolName);
    case 'step-repeated':
      return texts.stepRepeated(notice.times);
    case 'length':
      return texts.length;
    default:
      return texts.contentFilter;
  }
}
