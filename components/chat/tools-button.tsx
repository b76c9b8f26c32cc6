'use client';

import { Wrench } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useCurrentSettings } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { DEFAULT_TOOLSETS, TOOLSETS } from '#lib/tools/toolset-names.ts';

const ToolsPanel = lazyView(() => import('./tools-panel.tsx'));

export const preloadTools = ToolsPanel.preload;

/**
 * The button that opens the panel with the tools of this thread. If the toolsets (groups of tools) that are on are not the
 * defaults, it names them.
 */
export function ToolsButton() {
  const t = useMessages();
  const { toolsets, reviews = false } = useCurrentSettings();
  const [isOpen, setOpen] = useState<boolean>();
  const names = TOOLSETS.flatMap((toolset) =>
    toolsets.includes(toolset) ? [t.controls.toolsetNames[toolset] ?? toolset] : [],
  );
  const isUsual = TOOLSETS.every((toolset) => toolsets.includes(toolset) === DEFAULT_TOOLSETS.includes(toolset));
  const words = isUsual ? t.controls.toolsets : names.length === 0 ? t.controls.noTools : t.controls.listed(names);
  const button = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen === true}
      aria-label={t.controls.toolsOn([...names, ...(reviews ? [t.controls.reviewsOn] : [])])}
      {...(isOpen === undefined && { onClick: () => setOpen(true) })}
      className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-hover hover:text-text"
    >
      <Wrench aria-hidden size={15} className="shrink-0" />
      <span className="truncate">{words}</span>
      {reviews ? <span className="truncate text-accent">· {t.controls.reviewsOn}</span> : null}
    </button>
  );
  // Until it is first opened, only the button is rendered.
  if (isOpen === undefined) return button;
  return (
    <Suspense fallback={button}>
      <ToolsPanel trigger={button} isOpen={isOpen} onOpenChange={setOpen} />
    </Suspense>
  );
}
