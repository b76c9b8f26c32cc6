'use client';

import { PanelLeftClose } from 'lucide-react';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Mark } from '#components/ui/mark.tsx';

/** The studio's name above the list of threads, and the way to hide that list. */
export function SidebarHeader() {
  const t = useMessages();
  const { toggleThreads } = useWorkbench();
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-3.5">
      <Mark />
      <span className="min-w-0 flex-1 truncate font-semibold text-sm tracking-tight">{t.studio.name}</span>
      <IconButton label={t.panes.hideThreads} shortcut="toggleThreads" onClick={toggleThreads}>
        <PanelLeftClose aria-hidden size={16} />
      </IconButton>
    </div>
  );
}
