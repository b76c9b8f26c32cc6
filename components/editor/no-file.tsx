'use client';

import { FilePen } from 'lucide-react';
import type { ShortcutId } from '#components/hooks/shortcuts.ts';
import { useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { ShortcutKeys } from '#components/ui/keys.tsx';

/** Shows what the user can do while no file is open. */
export default function NoFile() {
  const t = useAllMessages();
  const { openPalette, searchFiles } = useWorkbench();
  const isEmpty = useWorkspaceTree(({ items }) => (items?.size ?? 0) < 2);
  const ways: { id: ShortcutId; run(): void }[] = [
    { id: 'quickOpen', run: () => openPalette('files') },
    { id: 'searchFiles', run: searchFiles },
  ];
  return (
    <div className="flex h-full flex-col items-center justify-center gap-4 p-6 text-center text-muted text-sm">
      <FilePen aria-hidden size={28} strokeWidth={1.25} />
      <p className="max-w-72 text-balance">{isEmpty ? t.editor.noFiles : t.editor.none}</p>
      {isEmpty ? null : (
        <div className="grid gap-1">
          {ways.map(({ id, run }) => (
            <button
              key={id}
              type="button"
              onClick={run}
              className="flex items-center justify-between gap-6 rounded-md px-3 py-1.5 hover:bg-hover hover:text-text"
            >
              {t.shortcuts[id]}
              <ShortcutKeys id={id} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
