'use client';

import { useEffect, useRef } from 'react';
import { onListKey } from './list-keys.ts';

interface Ends {
  toStart(): void;
  toEnd(): void;
}

/**
 * Makes the keys Home and End in the conversation call the functions in `ends`, which scroll there. A browser would stop
 * short of the ends: it goes to where they seem to be before the rows on the way have been measured.
 */
export function useEndKeys(scroller: HTMLElement, ends: Ends): void {
  const current = useRef(ends);
  useEffect(() => {
    current.current = ends;
  });
  useEffect(
    () =>
      onListKey(scroller, (event, target) => {
        const { key, shiftKey, altKey } = event;
        if ((key !== 'Home' && key !== 'End') || shiftKey || altKey || scrollsItself(target, scroller)) return;
        event.preventDefault();
        if (key === 'Home') current.current.toStart();
        else current.current.toEnd();
      }),
    [scroller],
  );
}

/** Checks whether the focus is in something inside the conversation that scrolls itself, such as a block of code. */
function scrollsItself(target: Element, scroller: HTMLElement): boolean {
  for (let element: Element | null = target; element !== null && element !== scroller; element = element.parentElement)
    if (element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY))
      return scroller.contains(element);
  return false;
}
