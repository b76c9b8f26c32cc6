'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { END_DISTANCE, Following } from '#components/hooks/following.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';

/** The usual height of a row, in CSS pixels. */
const ROW_HEIGHT = 28;
/** The number of rows that are rendered beyond each end of the visible part. */
const OVERSCAN = 10;

interface LogRowsProps {
  count: number;
  /** Returns a key that a row keeps when its index changes. */
  keyOf(index: number): string | number;
  /** Whether the end is kept in view as rows are added, unless the user has scrolled up. */
  follows: boolean;
  children(index: number): ReactNode;
}

/** Rows of any height in an element that scrolls, of which only those near its visible part are in the document. */
export function LogRows({ className, ...rows }: LogRowsProps & { className: string }) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div ref={setScroller} tabIndex={0} className={`overflow-y-auto [overflow-anchor:none] ${className}`}>
      {scroller === null ? null : <Rows {...rows} scroller={scroller} />}
    </div>
  );
}

function Rows({ count, keyOf, follows, children, scroller }: LogRowsProps & { scroller: HTMLElement }) {
  const [following] = useState(() => new Following(scroller, follows));
  const isPrinting = useIsPrinting();
  const [initialRect] = useState(() => ({ width: scroller.clientWidth, height: scroller.clientHeight }));
  const list = useVirtualizer<HTMLElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    anchorTo: follows ? 'end' : 'start',
    scrollEndThreshold: END_DISTANCE,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    initialRect,
    initialOffset: follows ? Math.max(0, count * ROW_HEIGHT - initialRect.height) : 0,
    onChange: (changed) => {
      if (!follows || changed.scrollElement === null) return;
      following.look();
      if (following.isOn && !changed.isAtEnd()) changed.scrollToEnd();
    },
  });
  const toEnd = useCallback(() => list.scrollToEnd(), [list]);
  useEffect(() => (follows ? following.onResize(toEnd) : undefined), [following, follows, toEnd]);
  useEffect(() => following.watchGestures(), [following]);
  const newest = count === 0 ? undefined : keyOf(count - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row at the end is followed
  useEffect(() => {
    if (follows && following.isOn) toEnd();
  }, [newest, follows, following, toEnd]);
  const indexes = isPrinting ? Array.from({ length: count }, (_, index) => index) : list.getVirtualIndexes();
  return (
    <div ref={list.containerRef} className="relative w-full print:h-auto!">
      {indexes.map((index) => (
        <div
          key={keyOf(index)}
          ref={list.measureElement}
          data-index={index}
          className="absolute inset-x-0 print:static"
        >
          {children(index)}
        </div>
      ))}
    </div>
  );
}
