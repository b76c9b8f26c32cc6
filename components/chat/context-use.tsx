'use client';

import { useMemo } from 'react';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { Message } from '#lib/messages/message.ts';
import { useCurrentModel } from './controls.tsx';
import { latestStep } from './latest-step.ts';

/**
 * Shows how many of the tokens that a prompt may have are in the newest one, and how much history it leaves out. Renders
 * nothing before the model has reported the tokens of a step.
 */
export default function ContextUse() {
  const t = useAllMessages();
  const session = useThreads((state) => state.session);
  const step = useSession(session, (snapshot) => latestStep(snapshot.branch));
  const model = useCurrentModel();
  // Memoized, because the whole thread may have to be looked through, and not for each piece of an answer.
  const leftOut = useMemo(
    () => (step === undefined ? 0 : leftOutOf(session?.getSnapshot().branch ?? [], step.settings.budgetTokens)),
    [session, step],
  );
  const sent = step?.usage?.inputTokens ?? 0;
  if (step === undefined || sent === 0 || model === undefined) return null;
  const { budgetTokens } = step.settings;
  const share = Math.min(1, sent / budgetTokens);
  const compact = new Intl.NumberFormat(t.locale, { notation: 'compact' });
  const format = (tokens: number) => compact.format(tokens);
  // The context window as the step knew it: the model's server may take less than stated.
  const size = step.settings.contextSize ?? model.contextSize;
  const detail =
    size === null ? t.contextUse.unknown(model.name) : t.contextUse.detail(format(budgetTokens), format(size));
  const used =
    t.contextUse.used(format(sent), `${size === null ? '~' : ''}${format(budgetTokens)}`) +
    (leftOut === 0 ? '' : t.contextUse.leftOut(format(leftOut)));
  return (
    <span
      data-tooltip={`${used}. ${detail}`}
      className={`hidden items-center gap-1.5 text-xs tabular-nums @md:inline-flex ${share > 0.85 ? 'text-denied' : 'text-muted'}`}
    >
      <meter aria-label={t.contextUse.label} min={0} max={budgetTokens} value={sent} className="h-2 w-10" />
      <span className="sr-only @3xl:not-sr-only">{used}</span>
    </span>
  );
}

/**
 * Returns how many tokens of history the newest prompt leaves out. Steps report this only when it changes, so the latest
 * report counts; 0 if there has been none since the budget last changed.
 */
function leftOutOf(branch: readonly Message[], budgetTokens: number): number {
  for (const message of branch.toReversed()) {
    const steps = message.role === 'assistant' ? message.parts.filter((part) => part.type === 'step') : [];
    for (const { settings, notices } of steps.toReversed()) {
      if (settings.budgetTokens !== budgetTokens) return 0;
      const trimmed = notices.find((notice) => notice.code === 'history-trimmed');
      if (trimmed !== undefined) return trimmed.tokens ?? 0;
    }
  }
  return 0;
}
