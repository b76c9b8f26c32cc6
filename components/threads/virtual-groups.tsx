'use client';

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ShownGroup, ShownThread, ThreadGroup } from './group-threads.ts';

/** The height of a heading in CSS pixels, as its classes set it. */
const HEADING_HEIGHT = 32;
/** The height of an entry in CSS pixels, as its classes set it. */
const ENTRY_HEIGHT = 40;
/** The height of headings and entries on touch screens, in CSS pixels. */
const COARSE_HEIGHT = 44;

interface VirtualGroupsProps {
  groups: readonly ThreadGroup[];
  isOpen(group: ThreadGroup): boolean;
  /** The element that scrolls, and begins with the groups; null before it is in the document. */
  scroller: HTMLElement | null;
  render(groups: readonly ShownGroup[]): ReactNode;
  /** The id of the thread to scroll to at first, and whenever the id changes; null for none. */
  shownId: string | null;
}

/**
 * A long list of threads, of which only rows near the viewport and the one with the focus are in the document. `shownId`:
 * the thread to scroll to.
 */
export default function VirtualGroups({ groups, isOpen, scroller, render, shownId }: VirtualGroupsProps) {
  const [isCoarse] = useState(() => matchMedia('(pointer: coarse)').matches);
  const [focused, setFocused] = useState<string>();
  const rows = useMemo(
    () =>
      groups.flatMap((group) => [
        { key: group.key, group, index: -1 },
        ...(isOpen(group) ? group.threads.map(({ id }, index) => ({ key: id, group, index })) : []),
      ]),
    [groups, isOpen],
  );
  const focusedRow = focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const near = defaultRangeExtractor(range);
      return focusedRow === -1 || near.includes(focusedRow) ? near : [...near, focusedRow].sort((a, b) => a - b);
    },
    [focusedRow],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => (isCoarse ? COARSE_HEIGHT : rows[index]?.index === -1 ? HEADING_HEIGHT : ENTRY_HEIGHT),
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor,
    overscan: 12,
  });
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) =>
      setFocused(target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined);
    scroller?.addEventListener('focusin', onFocus);
    return () => scroller?.removeEventListener('focusin', onFocus);
  }, [scroller]);
  const showRow = useEffectEvent((id: string) => {
    const index = rows.findIndex(({ key }) => key === id);
    if (index !== -1) virtualizer.scrollToIndex(index);
  });
  useEffect(() => {
    if (shownId !== null && scroller !== null) showRow(shownId);
  }, [shownId, scroller]);
  const shown: (ShownGroup & { threads: ShownThread[] })[] = [];
  for (const { index: at, start } of virtualizer.getVirtualItems()) {
    const row = rows[at];
    if (row === undefined) continue;
    const { group, index } = row;
    let last = shown.at(-1);
    if (last?.group !== group) {
      last = { group, heading: undefined, threads: [] };
      shown.push(last);
    }
    const thread = group.threads[index];
    if (thread === undefined) last.heading = { top: start };
    else last.threads.push({ thread, place: { top: start, position: index + 1, size: group.threads.length } });
  }
  return (
    <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {render(shown)}
    </div>
  );
}
