'use client';

import { useEffect } from 'react';
import { rememberedShortcuts } from '#studio/page/first-paint.ts';
import { COMPOSER_ID } from './composer-id.ts';
import { useSettings, useStudio } from './studio-provider.tsx';
import type { Workbench } from './workbench.ts';

/** The name of a keyboard shortcut, and the key of its description in the texts of the interface. */
export type ShortcutId =
  | 'palette'
  | 'send'
  | 'newLine'
  | 'stop'
  | 'quickOpen'
  | 'searchFiles'
  | 'findInThread'
  | 'save'
  | 'leaveEditor'
  | 'toggleThreads'
  | 'toggleWorkspace'
  | 'focusThreads'
  | 'focusChat'
  | 'focusFiles'
  | 'focusSide'
  | 'nextPane'
  | 'previousPane'
  | 'previousMessage'
  | 'nextMessage'
  | 'previousQuestion'
  | 'nextQuestion'
  | 'help';

export interface Shortcut {
  id: ShortcutId;
  /**
   * The default keys as displayed, modifiers first; `Mod` is Ctrl, or Cmd on a Mac. People can change the keys of a
   * shortcut that has a `run`.
   */
  keys: readonly string[];
  /** Does what the shortcut is for. Absent if a view handles the keys itself, and they are listed here only for the help. */
  run?(workbench: Workbench): void;
  /** Checks by the focused element whether the shortcut applies; if not, the browser gets the keys. Absent: always. */
  isFor?(focus: Element | null): boolean;
}

/** Checks whether the focus is in the conversation, on a thread in the list, or nowhere; not in the find bar or a dialog. */
function isInConversation(focus: Element | null): boolean {
  if (document.querySelector('[role="feed"]') === null || document.querySelector('[role="dialog"]') !== null)
    return false;
  return (
    focus === null ||
    focus === document.body ||
    (focus.closest('main') !== null && focus.closest('search') === null) ||
    // A thread that has just been chosen in the list.
    focus.closest('[data-pane="threads"] a') !== null
  );
}

/**
 * All of the studio's shortcuts, with their default keys; `keysOf` returns those in effect. `useShortcuts` runs them, and the
 * settings list them.
 */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', keys: ['Mod', 'K'], run: (workbench) => workbench.openPalette('commands') },
  { id: 'send', keys: ['Enter'] },
  { id: 'newLine', keys: ['Shift', 'Enter'] },
  { id: 'stop', keys: ['Esc'] },
  { id: 'quickOpen', keys: ['Mod', 'P'], run: (workbench) => workbench.openPalette('files') },
  { id: 'searchFiles', keys: ['Mod', 'Shift', 'F'], run: (workbench) => workbench.searchFiles() },
  { id: 'findInThread', keys: ['Mod', 'F'], isFor: isInConversation, run: (workbench) => workbench.findInThread() },
  { id: 'save', keys: ['Mod', 'S'] },
  { id: 'leaveEditor', keys: ['Ctrl', 'M'] },
  { id: 'toggleThreads', keys: ['Mod', 'B'], run: (workbench) => workbench.toggleThreads() },
  { id: 'toggleWorkspace', keys: ['Mod', 'J'], run: (workbench) => workbench.toggleWorkspace() },
  { id: 'focusThreads', keys: ['Mod', '1'], run: (workbench) => workbench.focusPane('threads') },
  { id: 'focusChat', keys: ['Mod', '2'], run: (workbench) => workbench.focusPane('chat') },
  { id: 'focusFiles', keys: ['Mod', '3'], run: (workbench) => workbench.focusPane('files') },
  { id: 'focusSide', keys: ['Mod', '4'], run: (workbench) => workbench.focusPane('side') },
  { id: 'nextPane', keys: ['F6'], run: (workbench) => workbench.focusNextPane(1) },
  { id: 'previousPane', keys: ['Shift', 'F6'], run: (workbench) => workbench.focusNextPane(-1) },
  { id: 'previousMessage', keys: ['Alt', '↑'], run: (workbench) => workbench.moveInThread(-1) },
  { id: 'nextMessage', keys: ['Alt', '↓'], run: (workbench) => workbench.moveInThread(1) },
  { id: 'previousQuestion', keys: ['Alt', 'Shift', '↑'], run: (workbench) => workbench.moveInThread(-1, 'questions') },
  { id: 'nextQuestion', keys: ['Alt', 'Shift', '↓'], run: (workbench) => workbench.moveInThread(1, 'questions') },
  { id: 'help', keys: ['?'], run: (workbench) => workbench.openShortcuts() },
];

/** The keys that the person has set, by shortcut. */
interface SetShortcuts {
  readonly shortcuts: Readonly<Record<string, readonly string[]>>;
}

/** The keys of a shortcut: those that the person has set, or its default ones. Empty if the person has removed them. */
export const keysOf = ({ id, keys }: Shortcut, { shortcuts }: SetShortcuts): readonly string[] =>
  (Object.hasOwn(shortcuts, id) ? shortcuts[id] : undefined) ?? keys;

/**
 * Returns the keys of the shortcut with this id: those that the person has set, or its default ones. Follows the settings.
 */
export function useKeysOf(id: ShortcutId): readonly string[] {
  const own = useSettings(({ shortcuts }) => (Object.hasOwn(shortcuts, id) ? shortcuts[id] : undefined));
  return own ?? SHORTCUTS.find((shortcut) => shortcut.id === id)?.keys ?? [];
}

/** The labels of keys that have no visible character. */
const NAMED_KEYS = new Map([
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['Escape', 'Esc'],
  [' ', 'Space'],
]);

/**
 * The pressed keys, as a shortcut names them, such as `Mod`, `Shift`, and `F`, where `Mod` is Ctrl or Cmd; undefined while
 * only modifiers such as Ctrl or Alt are pressed.
 */
export function pressedKeys({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string[] | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'Dead', 'Unidentified'].includes(key)) return undefined;
  // Shift turns a digit into a sign, Alt turns letters into others on a Mac, and not every keyboard has Latin letters.
  const written = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  // A sign that is a shortcut, such as `?`, counts on whatever key a layout has it.
  const isPlain = /^[ -~]$/.test(key) && (key === '?' || !/^Digit/.test(code));
  const name = NAMED_KEYS.get(key) ?? (isPlain ? key.toUpperCase() : (written?.[1] ?? written?.[2] ?? key));
  return [
    ...(ctrlKey || metaKey ? ['Mod'] : []),
    ...(altKey ? ['Alt'] : []),
    // For a sign, Shift is left out: the sign itself implies it.
    ...(shiftKey && !/^[!-/:-@[-`{-~]$/.test(name) ? ['Shift'] : []),
    name,
  ];
}

/** The last shortcut that was pressed before there was a layout to handle it. */
let early: Shortcut | undefined;

/** Keeps the last shortcut pressed while the studio opens, for `useShortcuts` to run. Calls `onKept` with the id of each. */
export function useEarlyShortcuts(onKept: (id: ShortcutId) => void): void {
  useEffect(() => {
    const remembered = rememberedShortcuts();
    const keep = (event: KeyboardEvent) => {
      const shortcut = SHORTCUTS.find((one) => one.run !== undefined && matches(event, keysOf(one, remembered)));
      if (shortcut === undefined) return;
      event.preventDefault();
      early = shortcut;
      onKept(shortcut.id);
    };
    addEventListener('keydown', keep, true);
    return () => removeEventListener('keydown', keep, true);
  }, [onKept]);
}

/** Matches elements in which typed characters must not move the focus to the message box. */
const TAKES_TYPING =
  '[role="tree"], [role="listbox"], [role="menu"], [role="combobox"], [role$="dialog"], .monaco-editor';

const takesTyping = (target: EventTarget | null): boolean =>
  isWriting(target) || (target instanceof Element && target.closest(TAKES_TYPING) !== null);

/**
 * Handles the studio's shortcuts with the commands of `workbench` while the layout is mounted; first, the one that
 * `useEarlyShortcuts` has kept. Moves the focus to the message box when a character is typed that no element takes.
 */
export function useShortcuts(workbench: Workbench): void {
  const { settings } = useStudio();
  useEffect(() => {
    early?.run?.(workbench);
    early = undefined;
  }, [workbench]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isRecording(event.target)) return;
      const shortcut = SHORTCUTS.find(
        (one) => one.run !== undefined && matches(event, keysOf(one, settings.getState())),
      );
      if (shortcut === undefined || shortcut.isFor?.(document.activeElement) === false) {
        // A character that no element takes is meant for the message. A space is not: it scrolls, or presses a button.
        if (typesCharacter(event) && event.key !== ' ' && !takesTyping(event.target))
          document.getElementById(COMPOSER_ID)?.focus();
        return;
      }
      // A key that types a character is left to the text field that has the focus.
      if (typesCharacter(event) && isWriting(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      shortcut.run?.(workbench);
    };
    // In the capture phase, because the editor has its own uses for some of them.
    const onCapture = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey) onKeyDown(event);
    };
    const onBubble = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) onKeyDown(event);
    };
    addEventListener('keydown', onCapture, true);
    addEventListener('keydown', onBubble);
    return () => {
      removeEventListener('keydown', onCapture, true);
      removeEventListener('keydown', onBubble);
    };
  }, [workbench, settings]);
}

/** Checks whether exactly these keys are pressed, in any order. */
function matches(event: KeyboardEvent, keys: readonly string[]): boolean {
  const pressed = pressedKeys(event);
  return (
    pressed !== undefined &&
    keys.length === pressed.length &&
    pressed.every((key) => keys.some((one) => one.toUpperCase() === key.toUpperCase()))
  );
}

const typesCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** Checks whether the person is choosing keys for a shortcut. */
const isRecording = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.recordsKeys !== undefined;

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
