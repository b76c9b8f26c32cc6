'use client';

import { Ellipsis, FolderClock, RefreshCw, Replace, ScanText } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useModels, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { findModel, modelName } from '#studio/models.ts';
import { requestsOf } from '#studio/prices.ts';
import { BranchPicker } from './branch-picker.tsx';
import { mayHaveOutline } from './outline-min.ts';
import { useRestoreFiles } from './use-restore-files.ts';

const CostView = lazyView(retriedUntilLoaded(() => import('./cost.tsx')));

const OutlineButton = lazyView(retriedUntilLoaded(() => import('./outline-button.tsx')));

const ContextInspector = lazyView(() => import('#components/inspector/context-inspector.tsx'));

/** Loads the code of the view that shows the cost of an answer, which the actions of most answers include. */
export const preloadTurnActions = CostView.preload;

/**
 * Classes that hide the actions of older answers, unless the pointer is in the message or the focus in the actions. On
 * touch screens, the actions are always visible.
 */
const SEEN_WHEN_NEEDED =
  'opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100';

interface TurnActionsProps {
  message: AssistantMessage;
  /** Whether it is the last message, whose actions are always visible. */
  isLast: boolean;
}

/**
 * The actions of an answer, its cost, its model and time, and its versions. All but the most frequent actions are in a menu.
 * Except in the last message, the actions are visible only while the pointer or the focus is there.
 */
export function TurnActions({ message, isLast }: TurnActionsProps) {
  const t = useAllMessages();
  const session = useThreads((state) => state.session);
  const { chooseModel } = useWorkbench();
  const restore = useRestoreFiles(message.id);
  const [inspecting, setInspecting] = useState(false);
  const steps = requestsOf([message]);
  const text = () =>
    message.parts
      .map((part) => (part.type === 'text' ? part.text : ''))
      .filter(Boolean)
      .join('\n\n');
  const regenerate = () => void session?.regenerate(message.id);
  const regenerateWith = () =>
    chooseModel(() => {
      focusComposer();
      regenerate();
    });
  const entries = [
    ...(session === undefined
      ? []
      : [{ label: t.messages.regenerateWith, icon: <Replace aria-hidden size={15} />, onSelect: regenerateWith }]),
    ...(restore === undefined
      ? []
      : [{ label: t.messages.restoreFiles, icon: <FolderClock aria-hidden size={15} />, onSelect: restore }]),
    { label: t.messages.inspect, icon: <ScanText aria-hidden size={15} />, onSelect: () => setInspecting(true) },
  ];
  return (
    <div className="flex min-h-8 flex-wrap items-center">
      <div className={`flex items-center ${isLast ? '' : SEEN_WHEN_NEEDED}`}>
        <CopyButton text={text} />
        {session === undefined ? null : (
          <IconButton label={t.messages.regenerate} onClick={regenerate}>
            <RefreshCw aria-hidden size={15} />
          </IconButton>
        )}
        {mayHaveOutline(message) ? (
          <Suspense>
            <OutlineButton message={message} />
          </Suspense>
        ) : null}
        <Menu
          align="start"
          trigger={
            <IconButton label={t.messages.more}>
              <Ellipsis aria-hidden size={15} />
            </IconButton>
          }
          entries={entries}
        />
        {steps.length > 0 ? (
          <Suspense>
            <CostView steps={steps} />
          </Suspense>
        ) : null}
      </div>
      <div className="ml-auto flex min-w-0 items-center pl-2">
        <Origin message={message} />
        <BranchPicker />
      </div>
      {inspecting ? (
        <Suspense>
          <ContextInspector message={message} onClose={() => setInspecting(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Shows which model has answered, and when. */
function Origin({ message }: { message: AssistantMessage }) {
  const t = useAllMessages();
  const id = message.parts.findLast((part) => part.type === 'step')?.model;
  const model = useModels((state) => (id === undefined ? undefined : findModel(state, id)));
  const time = new Date(message.createdAt);
  return (
    <span data-unsearched="" className="flex min-w-0 gap-2 text-muted text-xs">
      <span className="truncate">{model === undefined ? id : modelName(model, t.controls.demoModel)}</span>
      <time dateTime={time.toISOString()} title={time.toLocaleString(t.locale)} className="shrink-0 tabular-nums">
        {time.toLocaleTimeString(t.locale, { hour: '2-digit', minute: '2-digit' })}
      </time>
    </span>
  );
}
