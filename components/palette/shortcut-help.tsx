'use client';

import { SHORTCUTS } from '#components/hooks/shortcuts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** All of the studio's shortcuts. */
export default function ShortcutHelp({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const mod = isMac() ? '⌘' : 'Ctrl';
  return (
    <Dialog open onOpenChange={onClose} title={t.shortcuts.title}>
      <dl className="grid gap-2 text-sm">
        {SHORTCUTS.map(({ id, keys }) => (
          <div key={id} className="flex items-center justify-between gap-4">
            <dt>{t.shortcuts[id]}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-line bg-sunken px-1.5 font-mono text-xs leading-5">
                  {key === 'Mod' ? mod : key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
