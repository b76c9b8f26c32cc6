'use client';

import { PanelLeftOpen, Plus, Search, Settings } from 'lucide-react';
import { useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Mark } from '#components/ui/mark.tsx';

/** A narrow bar in place of the hidden list of threads, with the list's commands as icons. */
export function ThreadRail() {
  const t = useMessages();
  const { toggleThreads, newThread, openPalette, openSettings } = useWorkbench();
  const isAsked = useThreads(({ threads }) => threads.some(({ activity }) => activity === 'asking'));
  return (
    <div
      data-pane="threads"
      className="flex h-full w-12 shrink-0 flex-col items-center gap-1 border-line border-r bg-sunken py-1.5 print:hidden"
    >
      <span className="flex size-8 items-center justify-center">
        <Mark />
      </span>
      <IconButton label={t.panes.showThreads} shortcut="toggleThreads" className="relative" onClick={toggleThreads}>
        <PanelLeftOpen aria-hidden size={17} />
        {isAsked ? (
          <span className="absolute top-1 right-1 size-2 rounded-full bg-waiting">
            <span className="sr-only">{t.threads.activity.asking}</span>
          </span>
        ) : null}
      </IconButton>
      <IconButton label={t.threads.newThread} onClick={() => newThread()}>
        <Plus aria-hidden size={17} />
      </IconButton>
      <IconButton label={t.panes.search} shortcut="palette" onClick={() => openPalette('commands')}>
        <Search aria-hidden size={17} />
      </IconButton>
      <span className="flex-1" />
      <IconButton label={t.settings.open} onClick={() => openSettings()}>
        <Settings aria-hidden size={17} />
      </IconButton>
    </div>
  );
}
