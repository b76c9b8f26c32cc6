'use client';

import { Info } from 'lucide-react';
import { useEffect } from 'react';
import { useModels, useStudio } from '#components/hooks/studio-provider.tsx';
import type { Messages } from '#components/i18n/catalog.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { Notice } from '#lib/messages/message.ts';
import { findModel } from '#studio/models.ts';

/** What the user should know about a step of the model. */
export function Notices({ notices, modelId }: { notices: readonly Notice[]; modelId: string }) {
  const t = useMessages();
  const { models } = useStudio();
  const model = useModels((state) => findModel(state, modelId));
  const isNews = notices.some(isFallback) && model?.toolsRefused === false;
  useEffect(() => {
    if (isNews) void models.refresh();
  }, [isNews, models]);
  return notices.map((notice) => (
    <p key={notice.code} className="my-2 flex items-start gap-2 text-muted text-sm">
      <Info aria-hidden size={15} className="mt-1 shrink-0" />
      <span>
        {wordsFor(notice, t, model?.name)}
        {(notice.code === 'history-trimmed' || notice.code === 'tools-left-out') && model?.contextSize === null
          ? ` ${t.notices.unknownContext(model.name)}`
          : null}
      </span>
    </p>
  ));
}

/** Whether the tools are described in the prompt from this step on. */
const isFallback = (notice: Notice): boolean =>
  notice.code === 'tools-refused' || (notice.code === 'calls-in-text' && notice.isGivenUp);

function wordsFor(notice: Notice, t: Messages, modelName: string | undefined): string {
  const format = (n: number) => n.toLocaleString(t.locale);
  switch (notice.code) {
    case 'step-limit':
      return t.notices.stepLimit(notice.steps);
    case 'repeated-calls':
      return t.notices.repeatedCalls(notice.toolName);
    case 'history-trimmed':
      return t.notices.historyTrimmed(notice.messages);
    case 'result-cut':
      return t.notices.resultCut(notice.toolName, format(notice.kept), format(notice.total));
    case 'tools-left-out':
      return t.notices.toolsLeftOut(format(notice.contextTokens), notice.toolNames);
    case 'tools-refused':
      return t.notices.toolsRefused(modelName ?? notice.model);
    case 'calls-in-text':
      return t.notices.callsInText(modelName ?? notice.model, notice.isGivenUp);
    case 'prose-only':
      return t.notices.proseOnly(modelName ?? notice.model, format(notice.answers), notice.toolCalling);
    case 'call-unreadable':
      return t.notices.callUnreadable(notice.toolName, notice.askedAgain);
    case 'call-postponed':
      return t.notices.callPostponed(notice.toolName);
    case 'length':
      return t.notices.length;
    default:
      return t.notices.contentFilter;
  }
}
