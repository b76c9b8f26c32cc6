'use client';

import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { type MessageListHandle, useConversation } from '#components/hooks/conversation.ts';
import { END_DISTANCE, Following } from '#components/hooks/following.ts';
import { type KeptStates, keptStates } from '#components/hooks/kept-state.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import type { Message } from '#lib/messages/message.ts';
import { nextRow } from './next-row.ts';
import { type KeptList, type Place, places } from './places.ts';
import { estimateHeight } from './row-height.ts';
import { messageIdAt } from './rows.ts';
import { useSelectedRows } from './use-selected-rows.ts';

/** Rows that are rendered on each side of the viewport. */
const OVERSCAN = 4;

/** For how many frames a restored place is held, while rows are measured and their views load. */
const HOLD_FRAMES = 20;

type List = Virtualizer<HTMLElement, HTMLDivElement>;

interface MessageListOptions {
  threadId: string;
  branch: readonly Message[];
  isBusy: boolean;
  /** The element that scrolls the list. */
  scroller: HTMLElement;
}

/** The rows to render: those near the viewport, and those that must stay in the document wherever one scrolls. */
export function useMessageList({ threadId, branch, isBusy, scroller }: MessageListOptions) {
  const conversation = useConversation();
  const ids = useIds(branch);
  const [kept] = useState((): KeptList => {
    const { place, rows } = places.get(threadId);
    const isThere = place !== 'end' && ids.includes(place.messageId);
    return { place: isThere ? place : 'end', rows };
  });
  const [initialRect] = useState(() => ({ width: scroller.clientWidth, height: scroller.clientHeight }));
  const [following] = useState(() => new Following(scroller, kept.place === 'end'));
  const [wanted, setWanted] = useState<string>();
  const focused = useFocusedRow(scroller);
  const selected = useSelectedRows(scroller, branch);
  const pinned = usePinned(keptStates(threadId));
  const running = isBusy ? ids.at(-1) : undefined;
  const isPrinting = useIsPrinting();

  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      for (const id of [wanted, focused, running, ...selected, ...pinned]) {
        const index = id === undefined ? -1 : ids.indexOf(id);
        if (index !== -1) indexes.add(index);
      }
      return [...indexes].sort((a, b) => a - b);
    },
    [ids, wanted, focused, running, selected, pinned],
  );
  const shownIds = useRef(ids);
  useEffect(() => {
    shownIds.current = ids;
  }, [ids]);
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const estimateSize = (index: number) => {
    const message = branch[index];
    return message === undefined ? 0 : estimateHeight(message);
  };
  const list: List & { containerRef: (node: HTMLElement | null) => void } = useVirtualizer<HTMLElement, HTMLDivElement>(
    {
      count: branch.length,
      getScrollElement: () => scroller,
      estimateSize,
      getItemKey,
      rangeExtractor,
      overscan: OVERSCAN,
      // What is in view stays when older messages come, and nothing else than `following` keeps the end in view.
      anchorTo: ids === shownIds.current ? 'start' : 'end',
      scrollEndThreshold: END_DISTANCE,
      directDomUpdates: true,
      directDomUpdatesMode: 'position',
      initialRect,
      initialMeasurementsCache: kept.rows,
      initialOffset: () => {
        const sizes = new Map(kept.rows.map(({ key, size }) => [key, size]));
        const heightUntil = (end: number) =>
          ids.slice(0, end).reduce((sum, id, index) => sum + (sizes.get(id) ?? estimateSize(index)), 0);
        if (kept.place === 'end') return Math.max(0, heightUntil(ids.length) - initialRect.height);
        return heightUntil(Math.max(0, ids.indexOf(kept.place.messageId))) + kept.place.above;
      },
      onChange: (changed) => {
        if (changed.scrollElement === null) return;
        following.look();
        if (following.isOn && !changed.isAtEnd()) changed.scrollToEnd();
        conversation.setAtEnd(changed.isAtEnd());
      },
    },
  );
  // A row that is measured for the first time keeps what is below its top in place. A later change of a row that is
  // partly in view is where the reader is: something was opened, or is being written.
  list.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, end }, _, { itemSizeCache, scrollOffset }) =>
    (itemSizeCache.has(key) ? end : start + 1) <= (scrollOffset ?? 0);

  /** Ends holding a restored place, which would undo any other way of going somewhere. */
  const stopHolding = useRef(() => {});
  const toEnd = useCallback(() => {
    stopHolding.current();
    following.isOn = true;
    list.scrollToEnd();
  }, [following, list]);
  useEffect(() => following.onResize(toEnd), [following, toEnd]);
  // What was opened stays where it is, even at the end.
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('button, summary') !== null) following.isOn = false;
    };
    scroller.addEventListener('click', onClick, true);
    return () => scroller.removeEventListener('click', onClick, true);
  }, [scroller, following]);
  useNews(branch, isBusy, (isOwn) => {
    if (isOwn || following.isOn) toEnd();
  });

  const placeNow = useCallback((): Place => {
    const offset = list.scrollOffset ?? 0;
    const top = list.getVirtualItemForOffset(offset);
    return following.isOn || top === undefined ? 'end' : { messageId: String(top.key), above: offset - top.start };
  }, [list, following]);
  // The place is restored when the thread is shown, and kept when it no longer is.
  useLayoutEffect(() => {
    stopHolding.current = holdPlace(list, scroller, kept.place);
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
  }, [kept, threadId, scroller, placeNow, list]);
  // A print does not scroll.
  useLayoutEffect(() => {
    if (!isPrinting) return;
    const place = placeNow();
    return () => {
      following.isOn = place === 'end';
      if (place === 'end') toEnd();
      else stopHolding.current = holdPlace(list, scroller, place);
      // Browsers come back to where they were without a word, and the list would still be at the print's beginning.
      requestAnimationFrame(() => scroller.dispatchEvent(new Event('scroll')));
    };
  }, [isPrinting, placeNow, following, toEnd, list, scroller]);

  const current = useRef({ ids, branch });
  useLayoutEffect(() => {
    current.current = { ids, branch };
  }, [ids, branch]);
  useEffect(() => {
    const goTo = (id: string): HTMLElement | null => {
      stopHolding.current();
      following.isOn = false;
      // It can only be focused while it is in the document.
      flushSync(() => setWanted(id));
      list.scrollToIndex(current.current.ids.indexOf(id), { align: 'start' });
      return rowOf(scroller, id);
    };
    const handle: MessageListHandle = {
      move(step, only) {
        const { ids: known, branch: shown } = current.current;
        const offset = list.scrollOffset ?? 0;
        const top = list.getVirtualItemForOffset(offset);
        const position = {
          focused: known.indexOf(messageIdAt(document.activeElement) ?? ''),
          top: top?.index ?? 0,
          isCut: top !== undefined && top.start < offset,
        };
        const id = known[nextRow(shown, position, step, only) ?? -1];
        if (id !== undefined) goTo(id)?.focus({ preventScroll: true });
      },
      scrollToEnd: toEnd,
      firstInView: () => current.current.ids[list.getVirtualItemForOffset(list.scrollOffset ?? 0)?.index ?? -1],
      async show(messageId) {
        if (!current.current.ids.includes(messageId)) return undefined;
        goTo(messageId);
        // The first frame places the row, the second one measures it.
        for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
        return rowOf(scroller, messageId) ?? undefined;
      },
    };
    return conversation.attach(handle);
  }, [conversation, scroller, following, list, toEnd]);

  // A print has no viewport.
  const rows = isPrinting ? ids.map((key, index) => ({ key, index })) : list.getVirtualItems();
  return { list, rows };
}

const rowOf = (scroller: HTMLElement, messageId: string): HTMLElement | null =>
  scroller.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(messageId)}"]`);

/** The ids of a branch, as the same array until they change. */
function useIds(branch: readonly Message[]): readonly string[] {
  const known = useRef<readonly string[]>([]);
  const isSame = branch.length === known.current.length && branch.every(({ id }, index) => id === known.current[index]);
  if (!isSame) known.current = branch.map(({ id }) => id);
  return known.current;
}

const usePinned = ({ subscribe, pinned }: KeptStates): readonly string[] =>
  useSyncExternalStore(subscribe, pinned, pinned);

/** What opens from a row, and would close with it. */
const OPENED = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The message that the focus is in, or from which a dialog or a menu was opened. */
function useFocusedRow(scroller: HTMLElement): string | undefined {
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
  return focused;
}

/** Calls back when the branch ends with another message, or a turn begins. `isOwn`: by something the user did. */
function useNews(branch: readonly Message[], isBusy: boolean, onNews: (isOwn: boolean) => void): void {
  const last = branch.at(-1);
  const before = useRef({ lastId: last?.id, isBusy });
  useLayoutEffect(() => {
    const { lastId, isBusy: wasBusy } = before.current;
    before.current = { lastId: last?.id, isBusy };
    const begins = isBusy && !wasBusy;
    if (begins || last?.id !== lastId) onNews(begins || last?.role === 'user');
  });
}

/** Scrolls to a place again while the rows above it are measured, until the user scrolls. Returns what ends it. */
function holdPlace(list: List, scroller: HTMLElement, place: Place): () => void {
  if (place === 'end') return () => undefined;
  let frame = 0;
  let frames = 0;
  const end = () => {
    cancelAnimationFrame(frame);
    for (const type of GESTURES) scroller.removeEventListener(type, end);
  };
  const hold = () => {
    const index = list.measurementsCache.findIndex(({ key }) => key === place.messageId);
    const top = list.measurementsCache[index]?.start;
    if (top !== undefined && Math.abs(scroller.scrollTop - top - place.above) > 1)
      list.scrollToOffset(top + place.above);
    if (++frames < HOLD_FRAMES) frame = requestAnimationFrame(hold);
    else end();
  };
  for (const type of GESTURES) scroller.addEventListener(type, end, { passive: true });
  hold();
  return end;
}

const GESTURES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
