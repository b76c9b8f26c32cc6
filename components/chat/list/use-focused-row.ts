'use client';

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { messageIdAt, rowOf } from './rows.ts';

/** The selector of elements that are opened from a row, and would close if the row was removed. */
const OPENED = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/**
 * Returns the id of the message that has the focus in it, or from which the focused dialog or menu was opened; undefined
 * while the focus is elsewhere. `ids`: the ids of all messages in the list. If the focused one is replaced, for example by
 * another version of it, the message in its place gets the focus.
 */
export function useFocusedRow(scroller: HTMLElement, ids: readonly string[]): string | undefined {
  const [focused, setFocused] = useState<string>();
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      if (scroller.contains(target)) setFocused(messageIdAt(target));
      else if (target.closest(OPENED) === null) setFocused(undefined);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [scroller]);
  const lastIndex = useRef(-1);
  useLayoutEffect(() => {
    const index = focused === undefined ? -1 : ids.indexOf(focused);
    if (index === -1 && focused !== undefined && lastIndex.current !== -1 && document.activeElement === document.body) {
      const id = ids[Math.min(lastIndex.current, ids.length - 1)];
      if (id !== undefined) rowOf(scroller, id)?.focus({ preventScroll: true });
    }
    lastIndex.current = index;
  }, [scroller, ids, focused]);
  return focused;
}
