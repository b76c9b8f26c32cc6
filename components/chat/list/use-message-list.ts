'use client';

import { defaultRangeExtractor, measureElement, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { type MessageListHandle, useConversation } from '#components/hooks/conversation.ts';
import { END_DISTANCE, Following } from '#components/hooks/following.ts';
import type { KeptStates } from '#components/hooks/kept-state.ts';
import type { KeptList } from '#components/hooks/places.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import type { Message } from '#lib/messages/message.ts';
import { LoadingRows } from './loading-rows.ts';
import { nextRow } from './next-row.ts';
import { estimateHeight } from './row-height.ts';
import { messageIdAt, rowOf } from './rows.ts';
import { useEndKeys } from './use-end-keys.ts';
import { useFocusedRow } from './use-focused-row.ts';
import { type MessageVirtualizer, useKeptPlace } from './use-kept-place.ts';
import { useSelectedRows } from './use-selected-rows.ts';

/** Rows that are rendered on each side of the viewport. */
const OVERSCAN = 4;

interface MessageListOptions {
  threadId: string;
  branch: readonly Message[];
  isBusy: boolean;
  /** Whether another tab acts for the thread, or none does yet. */
  isElsewhere: boolean;
  /** The id of the message that waits for the turn to end. */
  queuedId: string | undefined;
  /** The element that scrolls the list. */
  scroller: HTMLElement;
}

/**
 * Runs the list of messages: restores its scroll position, follows its end, and offers its operations as `list` of the
 * `Conversation`. Returns the virtual list and the rows to render: those near the viewport, and those that must stay in the
 * document wherever one scrolls.
 */
export function useMessageList(options: MessageListOptions) {
  const { threadId, branch, isBusy, scroller } = options;
  const conversation = useConversation();
  const ids = useIds(branch);
  const [kept] = useState((): KeptList => {
    const { place, rows } = conversation.places.get(threadId);
    const isThere = place !== 'end' && ids.includes(place.messageId);
    return { place: isThere ? place : 'end', rows };
  });
  const [initialRect] = useState(() => ({ width: scroller.clientWidth, height: scroller.clientHeight }));
  const [following] = useState(() => new Following(scroller, kept.place === 'end'));
  const [loadingRows] = useState(() => new LoadingRows());
  const [wanted, setWanted] = useState<string>();
  const focused = useFocusedRow(scroller, ids);
  const selected = useSelectedRows(scroller, branch);
  const pinned = usePinned(conversation.kept.of(threadId));
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
  /** Whether the reader has pressed Home and has not left the beginning since. */
  const wantsStart = useRef(false);
  const shownIds = useRef(ids);
  useEffect(() => {
    shownIds.current = ids;
  }, [ids]);
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const estimateSize = (index: number) => {
    const message = branch[index];
    return message === undefined ? 0 : estimateHeight(message);
  };
  const list: MessageVirtualizer & { containerRef: (node: HTMLElement | null) => void } = useVirtualizer<
    HTMLElement,
    HTMLDivElement
  >({
    count: branch.length,
    getScrollElement: () => scroller,
    estimateSize,
    measureElement: (row, entry, { itemSizeCache }) => {
      const key = row.dataset.messageKey ?? '';
      const known = itemSizeCache.get(key);
      // Nothing has a size while the pane is hidden.
      if (known !== undefined && scroller.clientHeight === 0) return known;
      // Without an entry, the known size is used again, so nothing is measured.
      if (known === undefined || entry !== undefined) loadingRows.look(key, row);
      return measureElement(row, entry, list);
    },
    getItemKey,
    rangeExtractor,
    overscan: OVERSCAN,
    // Keep what is in view when older messages come, unless the beginning was asked for. Nothing but `following` keeps the
    // end in view.
    anchorTo: ids === shownIds.current || wantsStart.current ? 'start' : 'end',
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
      if (scroller.scrollTop > 0) wantsStart.current = false;
      if (following.isOn && !changed.isAtEnd()) changed.scrollToEnd();
      conversation.setAtEnd(following.isOn || changed.isAtEnd());
    },
  });
  // A row that is measured for the first time, or has got a view that was being loaded, keeps what is below its top in
  // place. Any other change of a row that is partly in view is where the reader is: something was opened, or is being
  // written.
  list.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, end }, _, { itemSizeCache, scrollOffset }) =>
    (itemSizeCache.has(key) && !loadingRows.hasGotView(String(key)) ? end : start + 1) <= (scrollOffset ?? 0);

  /** Stops holding a restored place. Must be called before scrolling elsewhere, which the hold would undo. */
  const stopHolding = useRef(() => {});
  const toEnd = useCallback(() => {
    stopHolding.current();
    following.isOn = true;
    list.scrollToEnd();
  }, [following, list]);
  useEffect(() => following.onResize(toEnd), [following, toEnd]);
  useEffect(() => following.watchGestures(), [following]);
  const toStart = () => {
    stopHolding.current();
    following.isOn = false;
    list.scrollToOffset(0);
    wantsStart.current = true;
  };
  useEndKeys(scroller, { toStart, toEnd });
  // Content that was opened stays where it is, even at the end.
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('button, summary') !== null) following.isOn = false;
    };
    scroller.addEventListener('click', onClick, true);
    return () => scroller.removeEventListener('click', onClick, true);
  }, [scroller, following]);
  useNews(options, (isOwn) => {
    if (isOwn || following.isOn) toEnd();
  });

  useKeptPlace({
    places: conversation.places,
    threadId,
    place: kept.place,
    list,
    scroller,
    following,
    isPrinting,
    stopHolding,
    toEnd,
  });

  const current = useRef({ ids, branch });
  useLayoutEffect(() => {
    current.current = { ids, branch };
  }, [ids, branch]);
  useEffect(() => {
    const leaveEnd = () => {
      stopHolding.current();
      following.isOn = false;
    };
    const goTo = (id: string): HTMLElement | null => {
      leaveEnd();
      // The row can only be focused while it is in the document.
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
      leaveEnd,
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

/** The ids of a branch, as the same array until they change. */
function useIds(branch: readonly Message[]): readonly string[] {
  const known = useRef<readonly string[]>([]);
  const isSame = branch.length === known.current.length && branch.every(({ id }, index) => id === known.current[index]);
  if (!isSame) known.current = branch.map(({ id }) => id);
  return known.current;
}

const usePinned = ({ subscribe, pinned }: KeptStates): readonly string[] =>
  useSyncExternalStore(subscribe, pinned, pinned);

/**
 * Calls `onNews` when the branch ends with another message, or a turn begins. `isOwn`: whether the user has just caused
 * that in this tab. It is false for what another tab does, and for a queued message that is sent.
 */
function useNews(options: MessageListOptions, onNews: (isOwn: boolean) => void): void {
  const { branch, isBusy, isElsewhere, queuedId } = options;
  const [last, beforeLast] = [branch.at(-1), branch.at(-2)];
  const before = useRef({ lastId: last?.id, isBusy, isElsewhere });
  const queued = useRef(new Set<string>());
  useLayoutEffect(() => {
    if (queuedId !== undefined) queued.current.add(queuedId);
    const { lastId, isBusy: wasBusy, isElsewhere: wasElsewhere } = before.current;
    before.current = { lastId: last?.id, isBusy, isElsewhere };
    const begins = isBusy && !wasBusy;
    if (!begins && last?.id === lastId) return;
    const question = last?.role === 'user' ? last : beforeLast;
    const isFromHere = !isElsewhere && !wasElsewhere && !queued.current.has(question?.id ?? '');
    onNews(isFromHere && (begins || last?.role === 'user'));
  });
}
