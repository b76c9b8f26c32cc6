'use client';

import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect } from 'react';
import type { Following } from '#components/hooks/following.ts';
import type { Place, Places } from '#components/hooks/places.ts';

export type MessageVirtualizer = Virtualizer<HTMLElement, HTMLDivElement>;

/** The number of frames for which a restored place is held, while rows are measured and their views load. */
const HOLD_FRAMES = 20;

interface KeptPlaceOptions {
  places: Places;
  threadId: string;
  /** The place at which the thread was left. */
  place: Place;
  list: MessageVirtualizer;
  scroller: HTMLElement;
  following: Following;
  isPrinting: boolean;
  /** Stops holding a restored place. Must be called before scrolling elsewhere, which the hold would undo. */
  stopHolding: RefObject<() => void>;
  toEnd(): void;
}

/**
 * Scrolls a thread that is opened to the place at which it was left, and, after a print or after the pane was hidden, to the
 * place that was in view before. Keeps the place when the thread is left or the page ends.
 */
export function useKeptPlace(options: KeptPlaceOptions): void {
  const { places, threadId, place, list, scroller, following, isPrinting, stopHolding, toEnd } = options;
  const placeNow = useCallback((): Place => {
    const offset = list.scrollOffset ?? 0;
    const top = list.getVirtualItemForOffset(offset);
    if (following.isOn || top === undefined) return 'end';
    return { messageId: String(top.key), above: offset - top.start, height: top.size };
  }, [list, following]);
  const goTo = useCallback(
    (to: Place) => {
      following.isOn = to === 'end';
      if (to === 'end') toEnd();
      else stopHolding.current = holdPlace(list, scroller, to);
    },
    [following, toEnd, stopHolding, list, scroller],
  );
  useLayoutEffect(() => {
    stopHolding.current = holdPlace(list, scroller, place);
    const keep = () => places.keep(threadId, { place: placeNow(), rows: list.takeSnapshot() });
    const store = () => {
      keep();
      places.store();
    };
    addEventListener('pagehide', store);
    return () => {
      removeEventListener('pagehide', store);
      stopHolding.current();
      keep();
    };
  }, [places, place, threadId, scroller, placeNow, list, stopHolding]);
  useEffect(() => {
    let left: Place | undefined;
    const resizes = new ResizeObserver(() => {
      const isHidden = scroller.clientHeight === 0;
      if (isHidden) left ??= placeNow();
      else if (left !== undefined) {
        goTo(left);
        left = undefined;
      }
    });
    resizes.observe(scroller);
    return () => resizes.disconnect();
  }, [scroller, placeNow, goTo]);
  // A print does not scroll.
  useLayoutEffect(() => {
    if (!isPrinting) return;
    const before = placeNow();
    return () => {
      goTo(before);
      // Browsers come back to where they were without a word, and the list would still be at the print's beginning.
      requestAnimationFrame(() => scroller.dispatchEvent(new Event('scroll')));
    };
  }, [isPrinting, placeNow, goTo, scroller]);
}

/**
 * Scrolls to a place, and again in the next frames, while rows above it are measured, until the user scrolls. Does nothing
 * for the place `end`. Returns a function that ends it.
 */
function holdPlace(list: MessageVirtualizer, scroller: HTMLElement, place: Place): () => void {
  if (place === 'end') return () => undefined;
  let frame = 0;
  let frames = 0;
  const end = () => {
    cancelAnimationFrame(frame);
    for (const type of GESTURES) scroller.removeEventListener(type, end);
  };
  const hold = () => {
    const index = list.measurementsCache.findIndex(({ key }) => key === place.messageId);
    const row = list.measurementsCache[index];
    if (row !== undefined) {
      // In a window of another width, the row has another height.
      const offset = row.start + (place.height > 0 ? (place.above * row.size) / place.height : place.above);
      if (Math.abs(scroller.scrollTop - offset) > 1) list.scrollToOffset(offset);
    }
    if (++frames < HOLD_FRAMES) frame = requestAnimationFrame(hold);
    else end();
  };
  for (const type of GESTURES) scroller.addEventListener(type, end, { passive: true });
  hold();
  return end;
}

const GESTURES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
