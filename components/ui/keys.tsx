'use client';

import { type ShortcutId, useKeysOf } from '#components/hooks/shortcuts.ts';

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** The name of a key on this computer: `Mod` is ⌘ on a Mac, and Ctrl elsewhere. */
export const keyName = (key: string): string => (key === 'Mod' ? (isMac() ? '⌘' : 'Ctrl') : key);

/** Shows the keys of a shortcut as the person has set them. Renders nothing if the shortcut has none. */
export function ShortcutKeys({ id }: { id: ShortcutId }) {
  const keys = useKeysOf(id);
  return <Keys keys={keys} />;
}

export function Keys({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <span className="flex shrink-0 gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="rounded-sm border border-line bg-sunken px-1.5 font-mono text-muted text-xs leading-5"
        >
          {keyName(key)}
        </kbd>
      ))}
    </span>
  );
}
