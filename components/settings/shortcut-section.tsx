'use client';

import { RotateCcw, Search, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { keysOf, pressedKeys, SHORTCUTS, type Shortcut, type ShortcutId } from '#components/hooks/shortcuts.ts';
import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Keys, keyName } from '#components/ui/keys.tsx';
import { Section } from '#components/ui/section.tsx';

/** Keys that no page receives, because browsers use them themselves. */
const KEPT_BY_BROWSERS = ['Mod+N', 'Mod+T', 'Mod+W', 'Mod+Shift+N', 'Mod+Shift+T', 'Mod+Shift+W', 'Mod+Q'];

const words = (keys: readonly string[]): string => keys.map(keyName).join('+');

const sameKeys = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((key) => other.some((name) => name.toUpperCase() === key.toUpperCase()));

/** Lists all keyboard shortcuts, which can be searched and changed. */
export function ShortcutSection() {
  const t = useAllMessages();
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const own = useSettings(({ shortcuts }) => shortcuts);
  const [query, setQuery] = useState('');
  const [problem, setProblem] = useState<{ id: ShortcutId; text: string }>();
  const wanted = query.trim().toLowerCase();
  const shown = SHORTCUTS.filter((shortcut) =>
    `${t.shortcuts[shortcut.id]} ${words(keysOf(shortcut, { shortcuts: own }))}`.toLowerCase().includes(wanted),
  );
  const set = (id: ShortcutId, keys: string[]): boolean => {
    const user = SHORTCUTS.find(
      (other) => other.id !== id && keys.length > 0 && sameKeys(keysOf(other, { shortcuts: own }), keys),
    );
    const refusal =
      user !== undefined
        ? texts.keysUsed(words(keys), t.shortcuts[user.id])
        : KEPT_BY_BROWSERS.includes(keys.join('+'))
          ? texts.keysKept(words(keys))
          : undefined;
    setProblem(refusal === undefined ? undefined : { id, text: refusal });
    if (refusal === undefined) void settings.change({ shortcuts: { ...settings.getState().shortcuts, [id]: keys } });
    return refusal === undefined;
  };
  const reset = (id: ShortcutId) => {
    setProblem(undefined);
    const { [id]: _, ...others } = settings.getState().shortcuts;
    void settings.change({ shortcuts: others });
  };
  return (
    <Section title={t.shortcuts.title} help={texts.shortcutsHelp}>
      <label className="flex min-h-9 items-center gap-2 rounded-md border border-line-strong px-2 focus-within:border-accent">
        <Search aria-hidden size={14} className="text-muted" />
        <input
          type="search"
          aria-label={texts.searchShortcuts}
          placeholder={texts.searchShortcuts}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-muted"
        />
      </label>
      {shown.length === 0 ? <p className="text-muted text-sm">{t.palette.nothing}</p> : null}
      <ul className="divide-y divide-line">
        {shown.map((shortcut) => (
          <ShortcutRow
            key={shortcut.id}
            shortcut={shortcut}
            keys={keysOf(shortcut, { shortcuts: own })}
            isOwn={Object.hasOwn(own, shortcut.id)}
            problem={problem?.id === shortcut.id ? problem.text : undefined}
            onSet={(keys) => set(shortcut.id, keys)}
            onReset={() => reset(shortcut.id)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ShortcutRowProps {
  shortcut: Shortcut;
  keys: readonly string[];
  /** Whether the person has changed the keys. */
  isOwn: boolean;
  problem: string | undefined;
  /** Stores the keys, or none for an empty list. Returns false if they cannot be used. */
  onSet(keys: string[]): boolean;
  onReset(): void;
}

function ShortcutRow({ shortcut, keys, isOwn, problem, onSet, onReset }: ShortcutRowProps) {
  const t = useAllMessages();
  const texts = useSettingsTexts();
  const [isRecording, setRecording] = useState(false);
  const name = t.shortcuts[shortcut.id];
  const record = (event: KeyboardEvent) => {
    if (!isRecording) return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = pressedKeys(event.nativeEvent);
    if (pressed === undefined) return;
    if (pressed.join() === 'Esc' || onSet(pressed)) setRecording(false);
  };
  return (
    <li className="py-1.5 text-sm">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <span className="min-w-40 flex-1">{name}</span>
        {isRecording ? null : keys.length === 0 ? (
          <span className="text-muted text-xs">{texts.noKeys}</span>
        ) : (
          <Keys keys={keys} />
        )}
        {shortcut.run === undefined ? null : (
          <span className="ml-auto flex items-center gap-0.5">
            <Button
              variant={isRecording ? 'primary' : 'ghost'}
              aria-label={texts.changeKeys(name)}
              onClick={() => setRecording(true)}
              onBlur={() => setRecording(false)}
              data-records-keys={isRecording ? '' : undefined}
              onKeyDownCapture={record}
            >
              {isRecording ? texts.pressKeys : texts.change}
            </Button>
            {keys.length === 0 ? null : (
              <IconButton label={texts.removeKeys(name)} size="small" onClick={() => onSet([])}>
                <X aria-hidden size={14} />
              </IconButton>
            )}
            {isOwn ? (
              <IconButton label={texts.resetKeys(name)} size="small" onClick={onReset}>
                <RotateCcw aria-hidden size={14} />
              </IconButton>
            ) : null}
          </span>
        )}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="text-failed text-xs">
          {problem}
        </p>
      )}
    </li>
  );
}
