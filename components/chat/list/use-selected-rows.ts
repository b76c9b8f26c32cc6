'use client';

import { useEffect, useRef, useState } from 'react';
import { isWriting } from '#components/hooks/is-writing.ts';
import { pressedKeys } from '#components/hooks/shortcuts.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { Message } from '#lib/messages/message.ts';
import { copiedText } from './copied-text.ts';
import { onListKey } from './list-keys.ts';
import { messageIdAt } from './rows.ts';

const NOTHING: readonly string[] = [];

/**
 * Returns the ids of the messages at the ends of the selection, which lasts only while they are in the document. Makes
 * copying include the messages in between that are not in the document, and Ctrl/Cmd-A in the list select all messages.
 */
export function useSelectedRows(scroller: HTMLElement, branch: readonly Message[]): readonly string[] {
  const t = useAllMessages();
  const [ends, setEnds] = useState(NOTHING);
  const copy = useRef<(range: Range) => string | undefined>(undefined);
  useEffect(() => {
    const nameOf = ({ role }: Message) => (role === 'user' ? t.messages.you : t.messages.assistant);
    copy.current = (range) => copiedText(range, scroller, branch, nameOf);
  }, [scroller, branch, t]);
  useEffect(() => {
    const onSelection = () => {
      const selection = getSelection();
      const next =
        selection === null || selection.isCollapsed
          ? NOTHING
          : [selection.anchorNode, selection.focusNode].flatMap((node) =>
              scroller.contains(node) ? (messageIdAt(node) ?? []) : [],
            );
      setEnds((known) => (known.join() === next.join() ? known : next));
    };
    const endKeys = onListKey(scroller, (event) => {
      if (pressedKeys(event)?.join('+') !== 'Mod+A') return;
      event.preventDefault();
      getSelection()?.selectAllChildren(scroller);
    });
    const onCopy = (event: ClipboardEvent) => {
      const selection = getSelection();
      if (selection === null || selection.rangeCount === 0 || isWriting(event.target)) return;
      const text = copy.current?.(selection.getRangeAt(0));
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text);
    };
    document.addEventListener('selectionchange', onSelection);
    document.addEventListener('copy', onCopy);
    return () => {
      document.removeEventListener('selectionchange', onSelection);
      document.removeEventListener('copy', onCopy);
      endKeys();
    };
  }, [scroller]);
  return ends;
}
