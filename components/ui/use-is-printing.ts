'use client';

import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;

/** Checks whether the page is being printed. Views that show only a part of long content then show all of it. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );

function subscribe(listener: () => void): () => void {
  const change = (next: boolean) => () => {
    isPrinting = next;
    // Rendered at once, because the browser prints the page as it is right after the event handlers.
    flushSync(listener);
  };
  const [before, after] = [change(true), change(false)];
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  return () => {
    removeEventListener('beforeprint', before);
    removeEventListener('afterprint', after);
  };
}
