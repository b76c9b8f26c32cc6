'use client';

import { Ellipsis, FoldVertical, PanelRight, Settings2, SlidersHorizontal, Stethoscope } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { TemporaryMark } from '#components/threads/temporary-mark.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { lazyView, patiently } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { Message, StepPart } from '#lib/messages/message.ts';
import { ModelPicker, useCurrentModel } from './controls.tsx';

const CostView = lazyView(patiently(() => import('./cost.tsx')));

/** The open thread's title, its model, what it has used, and its options. */
export function ThreadHeader({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages();
  const { toggleWorkspace, openModelSettings, editSystemPrompt, editParameters } = useWorkbench();
  const model = useCurrentModel();
  const session = useThreads((state) => state.session);
  const isAsked = useSession(session, ({ thread }) => thread.compactsNext === true) ?? false;
  const title = useThreads(({ threads, selectedId }) => threads.find(({ id }) => id === selectedId)?.title ?? '');
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-2 border-line border-b pr-2 pl-4 print:[&_button]:hidden">
      <h1 className="min-w-0 flex-1 truncate font-semibold text-sm">{title || t.threads.untitled}</h1>
      <TemporaryMark />
      <ThreadUse />
      <ModelPicker />
      <Menu
        trigger={
          <IconButton label={t.controls.threadOptions}>
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
        entries={[
          {
            label: t.controls.systemPrompt,
            icon: <Settings2 aria-hidden size={14} />,
            onSelect: editSystemPrompt,
          },
          {
            label: t.controls.parameters,
            icon: <SlidersHorizontal aria-hidden size={14} />,
            onSelect: editParameters,
          },
          ...(session === undefined || isAsked
            ? []
            : [
                {
                  label: t.controls.compactNow,
                  icon: <FoldVertical aria-hidden size={14} />,
                  onSelect: () => void session.compactNext(true),
                },
              ]),
          ...(model === undefined
            ? []
            : [
                {
                  label: t.controls.modelSettings,
                  icon: <Stethoscope aria-hidden size={14} />,
                  onSelect: () => openModelSettings(model.id),
                },
              ]),
        ]}
      />
      {isNarrow ? null : (
        <IconButton label={t.panes.workspace} shortcut="toggleWorkspace" onClick={toggleWorkspace}>
          <PanelRight aria-hidden size={16} />
        </IconButton>
      )}
    </header>
  );
}

/** What the thread has used, once a model has reported it. */
function ThreadUse() {
  const session = useThreads((state) => state.session);
  const isReported = useSession(session, ({ branch }) => latestStep(branch) !== undefined) ?? false;
  if (!isReported) return null;
  return (
    <>
      <Suspense>
        <CostView />
      </Suspense>
      <ContextUse />
    </>
  );
}

/** The newest prompt, relative to what a prompt may take of the model's context, and what was left out of it. */
function ContextUse() {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const step = useSession(session, (snapshot) => latestStep(snapshot.branch));
  const model = useCurrentModel();
  // Not with each piece of an answer: the whole thread may have to be looked through.
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
  // What the step knew of the window: its server may take less than is said.
  const size = step.settings.contextSize ?? model.contextSize;
  const detail =
    size === null
      ? t.controls.unknownContext(model.name)
      : t.controls.contextDetail(format(budgetTokens), format(size));
  const used =
    t.controls.contextUsed(format(sent), `${size === null ? '~' : ''}${format(budgetTokens)}`) +
    (leftOut === 0 ? '' : t.controls.contextLeftOut(format(leftOut)));
  return (
    <span
      data-tooltip={`${used}. ${detail}`}
      className={`hidden items-center gap-1.5 text-xs tabular-nums @md:inline-flex ${share > 0.85 ? 'text-denied' : 'text-muted'}`}
    >
      <meter aria-label={t.controls.contextUsedLabel} min={0} max={budgetTokens} value={sent} className="h-2 w-10" />
      <span className="sr-only @3xl:not-sr-only">{used}</span>
    </span>
  );
}

/** How much of the history the newest prompt leaves out, in tokens. It is reported by the first step that does so. */
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

function latestStep(branch: readonly Message[]): StepPart | undefined {
  for (const message of branch.toReversed()) {
    if (message.role !== 'assistant') continue;
    const step = message.parts.findLast((part) => part.type === 'step' && part.usage !== undefined);
    if (step?.type === 'step') return step;
  }
  return undefined;
}
