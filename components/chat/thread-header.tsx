'use client';

import { Ellipsis, PanelLeft, PanelRight, Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useSession, useThreads } from '#components/runtime/studio-provider.tsx';
import { useWorkbench } from '#components/runtime/workbench.ts';
import { IconButton } from '#components/ui/button.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { Message } from '#lib/messages/message.ts';
import { useCurrentModel } from './controls.tsx';

const SystemPromptDialog = lazyView(() => import('./system-prompt-dialog.tsx'));

/** The open thread's title, its context usage, and its options. */
export function ThreadHeader({ isNarrow }: { isNarrow: boolean }) {
  const t = useMessages();
  const { toggleThreads, toggleWorkspace } = useWorkbench();
  const session = useThreads((state) => state.session);
  const title = useSession(session, (snapshot) => snapshot.thread.title) ?? '';
  const [editingPrompt, setEditingPrompt] = useState(false);
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-2">
      {isNarrow ? null : (
        <IconButton label={t.panes.threads} onClick={toggleThreads}>
          <PanelLeft aria-hidden size={16} />
        </IconButton>
      )}
      <h1 className="min-w-0 flex-1 truncate font-semibold text-sm">{title || t.threads.untitled}</h1>
      <ContextUse />
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
            onSelect: () => setEditingPrompt(true),
          },
        ]}
      />
      {isNarrow ? null : (
        <IconButton label={t.panes.workspace} onClick={toggleWorkspace}>
          <PanelRight aria-hidden size={16} />
        </IconButton>
      )}
      <Suspense>{editingPrompt ? <SystemPromptDialog onClose={() => setEditingPrompt(false)} /> : null}</Suspense>
    </header>
  );
}

/** The tokens of the newest step, prompt and answer, relative to the model's context window. */
function ContextUse() {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const used = useSession(session, (snapshot) => latestUsage(snapshot.branch)) ?? 0;
  const model = useCurrentModel();
  if (used === 0 || model === undefined) return null;
  const size = model.contextSize ?? 8_000;
  const share = Math.min(1, used / size);
  const compact = new Intl.NumberFormat(t.locale, { notation: 'compact' });
  const text = t.controls.contextUsed(compact.format(used), compact.format(size));
  return (
    <span
      title={model.contextSize === null ? t.notices.unknownContext(model.name) : t.controls.contextUsedLabel}
      className={`hidden items-center gap-1.5 text-xs tabular-nums sm:inline-flex ${share > 0.85 ? 'text-denied' : 'text-muted'}`}
    >
      <meter aria-label={t.controls.contextUsedLabel} min={0} max={size} value={used} className="h-2 w-14" />
      {text}
      {model.contextSize === null ? '?' : ''}
    </span>
  );
}

function latestUsage(branch: readonly Message[]): number {
  for (const message of branch.toReversed()) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts.toReversed()) {
      if (part.type === 'step' && part.usage !== undefined)
        return (part.usage.inputTokens ?? 0) + (part.usage.outputTokens ?? 0);
    }
  }
  return 0;
}
