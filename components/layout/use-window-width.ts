'use client';

import { useSyncExternalStore } from 'react';

/**
 * The classes of window width, widest first, with the least width of each in CSS pixels. A window that is narrower than all
 * of them is `narrow`.
 */
const WIDTHS = [
  { width: 'widest', from: 1680 },
  { width: 'wide', from: 1280 },
  { width: 'medium', from: 900 },
] as const;

/**
 * The window's class of width: one of those in `WIDTHS`, or `narrow` if the window is narrower than all of them. In a `narrow`
 * window, panes are shown one at a time.
 */
export type Width = (typeof WIDTHS)[number]['width'] | 'narrow';

const query = (from: number): MediaQueryList => matchMedia(`(min-width: ${from}px)`);

function subscribe(listener: () => void): () => void {
  const queries = WIDTHS.map(({ from }) => query(from));
  for (const one of queries) one.addEventListener('change', listener);
  return () => {
    for (const one of queries) one.removeEventListener('change', listener);
  };
}

let shown: Width = 'wide';

/** The window's class of width. While the page is printed, queries are about the paper, and the panes stay as they are. */
function currentWidth(): Width {
  if (!matchMedia('print').matches) shown = WIDTHS.find(({ from }) => query(from).matches)?.width ?? 'narrow';
  return shown;
}

export const useWindowWidth = (): Width => useSyncExternalStore(subscribe, currentWidth, () => 'wide' as const);
