'use client';

import { Ellipsis, FoldVertical, PanelRight, Settings2, SlidersHorizontal } from 'lucide-react';
import { Suspense } from 'react';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { TemporaryMark } from '#components/threads/temporary-mark.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { ModelPicker, useCurrentModel } from './controls.tsx';
import { latestStep } from './latest-step.ts';

const ContextUse = lazyView(retriedUntilLoaded(() => import('./context-use.tsx')));
const CostView = lazyView(retriedUntilLoaded(() => import('./cost.tsx')));

/**
 * The header of the open thread: its title, model, cost and context use, and options. `isNarrow`: whether the window shows
 * only one pane at a time; the button for the workspace pane is then left out.
 */
export function ThreadHeader({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages();
  const { toggleWorkspace, openModelSettings, editSystemPrompt } = useWorkbench();
  const model = useCurrentModel();
  const session = useThreads((state) => state.session);
  const isAsked = useSession(session, ({ thread }) => thread.compactsNext === true) ?? false;
  const title = useThreads(({ threads, selectedId }) => threads.find(({ id }) => id === selectedId)?.title ?? '');
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-2 border-line border-b pr-2 pl-4 print:[&>:not(h1)]:hidden">
      <h1 dir="auto" className="min-w-0 flex-1 truncate text-left font-semibold text-sm">
        {title || t.threads.untitled}
      </h1>
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
          ...(model === undefined
            ? []
            : [
                {
                  label: t.controls.modelSettings,
                  icon: <SlidersHorizontal aria-hidden size={14} />,
                  onSelect: () => openModelSettings(model.id),
                },
              ]),
          ...(session === undefined || isAsked
            ? []
            : [
                {
                  label: t.controls.compactNow,
                  icon: <FoldVertical aria-hidden size={14} />,
                  onSelect: () => void session.compactNext(true),
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

/** Shows the cost and the context use of the thread, once a model has reported them. */
function ThreadUse() {
  const session = useThreads((state) => state.session);
  const isReported = useSession(session, ({ branch }) => latestStep(branch) !== undefined) ?? false;
  if (!isReported) return null;
  return (
    <>
      <Suspense>
        <CostView />
      </Suspense>
      <Suspense>
        <ContextUse />
      </Suspense>
    </>
  );
}
