'use client';

import { Wrench } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useCurrentSettings } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';

const ToolsPanel = lazyView(() => import('./tools-panel.tsx'));

export const preloadTools = ToolsPanel.preload;

/** What the model may use in this thread, and how: says what is out of the ordinary, and opens everything. */
export function ToolsButton() {
  const t = useMessages();
  const { toolsets, reviews = false } = useCurrentSettings();
  const [isOpen, setOpen] = useState(false);
  const on = TOOLSETS.filter((toolset) => toolsets.includes(toolset));
  const words =
    on.length === TOOLSETS.length
      ? t.controls.toolsets
      : on.length === 0
        ? t.controls.noTools
        : on.map((toolset) => t.controls.toolsetNames[toolset] ?? toolset).join(', ');
  const button = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={`${t.controls.toolsets}: ${[...on.map((toolset) => t.controls.toolsetNames[toolset] ?? toolset), ...(reviews ? [t.controls.reviewsOn] : [])].join(', ') || t.controls.noTools}`}
      onClick={() => setOpen((before) => !before)}
      className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-hover hover:text-text pointer-coarse:h-11"
    >
      <Wrench aria-hidden size={15} className="shrink-0" />
      <span className="truncate">{words}</span>
      {reviews ? <span className="truncate text-accent">· {t.controls.reviewsOn}</span> : null}
    </button>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <ToolsPanel trigger={button} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
