'use client';

import { useEffect } from 'react';
import type { Workbench } from './workbench.ts';

interface Shortcut {
  /** The key of its description in the catalogs. */
  id:
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
    | 'previousMessage'
    | 'nextMessage'
    | 'previousQuestion'
    | 'nextQuestion'
    | 'help';
  /** As displayed; `Mod` is Ctrl, or Cmd on a Mac. */
  keys: readonly string[];
  /** Absent for keys that a view handles itself and that are listed here only for the help. */
  run?(workbench: Workbench): void;
  /** Whether the shortcut is meant, by where the focus is; otherwise the browser has the key. */
  isFor?(focus: Element | null): boolean;
}

/** In a conversation, or nowhere. In the find bar a second press gives the browser's own search. */
function isInConversation(focus: Element | null): boolean {
  if (document.querySelector('[role="feed"]') === null || document.querySelector('[role="dialog"]') !== null)
    return false;
  return (
    focus === null || focus === document.body || (focus.closest('main') !== null && focus.closest('search') === null)
  );
}

/** All of the studio's shortcuts in one place; the help shows this table. */
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
  { id: 'previousMessage', keys: ['Alt', '↑'], run: (workbench) => workbench.moveInThread(-1) },
  { id: 'nextMessage', keys: ['Alt', '↓'], run: (workbench) => workbench.moveInThread(1) },
  { id: 'previousQuestion', keys: ['Alt', 'Shift', '↑'], run: (workbench) => workbench.moveInThread(-1, 'questions') },
  { id: 'nextQuestion', keys: ['Alt', 'Shift', '↓'], run: (workbench) => workbench.moveInThread(1, 'questions') },
  { id: 'help', keys: ['?'], run: (workbench) => workbench.openShortcuts() },
];

const NAMED_KEYS = new Map([
  ['↑', 'ArrowUp'],
  ['↓', 'ArrowDown'],
  ['Esc', 'Escape'],
]);

/** The last shortcut that was pressed before there was a layout to handle it. */
let early: Shortcut | undefined;

/** Keeps the shortcuts that are pressed while the studio opens. `onKept` is called with the ID of each. */
export function useEarlyShortcuts(onKept: (id: Shortcut['id']) => void): void {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      const shortcut = SHORTCUTS.find(({ keys, run }) => run !== undefined && matches(event, keys));
      if (shortcut === undefined || event.isComposing) return;
      event.preventDefault();
      early = shortcut;
      onKept(shortcut.id);
    };
    addEventListener('keydown', keep, true);
    return () => removeEventListener('keydown', keep, true);
  }, [onKept]);
}

/** Handles the studio's shortcuts while the layout is mounted. */
export function useShortcuts(workbench: Workbench): void {
  useEffect(() => {
    early?.run?.(workbench);
    early = undefined;
  }, [workbench]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const shortcut = SHORTCUTS.find(({ keys, run }) => run !== undefined && matches(event, keys));
      if (shortcut === undefined || shortcut.isFor?.(document.activeElement) === false) return;
      // A key that types a character is left to the text field that has the focus.
      if (shortcut.keys.length === 1 && isWriting(event.target)) return;
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
  }, [workbench]);
}

function matches(event: KeyboardEvent, keys: readonly string[]): boolean {
  const key = keys.at(-1) ?? '';
  const wanted = NAMED_KEYS.get(key) ?? key;
  if (event.key.toLowerCase() !== wanted.toLowerCase()) return false;
  const mod = event.ctrlKey || event.metaKey;
  const needsShift = keys.includes('Shift');
  return (
    mod === keys.includes('Mod') &&
    event.altKey === keys.includes('Alt') &&
    (key === '?' || event.shiftKey === needsShift)
  );
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
