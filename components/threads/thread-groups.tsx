'use client';

import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { useThreadFolders, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import { GroupHeading } from './group-heading.tsx';
import { groupThreads, type ShownGroup, type ThreadGroup } from './group-threads.ts';
import { preloadThreadMenu, ThreadEntry } from './thread-entry.tsx';
import { useNow } from './use-now.ts';
import { useOpenGroups } from './use-open-groups.ts';
import { useThreadDrag } from './use-thread-drag.ts';

const VirtualGroups = lazyView(retriedUntilLoaded(() => import('./virtual-groups.tsx')));

/** With more entries, only those near the viewport are rendered. */
const ENTRIES_MAX = 100;

interface ThreadGroupsProps {
  /** The text that titles must contain, in lower case; empty for all threads. */
  wanted: string;
  selected: ReadonlySet<string>;
  /** The id of the thread or folder whose name is being edited. */
  renaming: string | undefined;
  /** Set to the ids of the listed threads, in their order. */
  visible: RefObject<readonly string[]>;
  /** The element that scrolls the list, and begins with it; null before it is in the document. */
  scroller: HTMLElement | null;
}

/**
 * Lists the threads whose titles contain `wanted` (in lower case; empty for all threads), by their groups. Writes the ids of
 * the listed threads to `visible`. `renaming`: the id of the thread or folder whose name is being edited.
 */
export default function ThreadGroups({ wanted, selected, renaming, visible, scroller }: ThreadGroupsProps) {
  const t = useMessages();
  const threads = useThreads((state) => state.threads);
  const selectedId = useThreads((state) => state.selectedId);
  const folders = useThreadFolders();
  const now = useNow();
  const [isKeptOpen, setOpen] = useOpenGroups();
  const { isDragging, over, onDragStart, onDragEnd, targetOf } = useThreadDrag(selected);
  const isSearch = wanted !== '';
  const groups = useMemo(() => {
    const found = threads.filter(({ title }) => title.toLowerCase().includes(wanted));
    const showsEmpty: ThreadGroup['type'][] = [
      ...(isSearch ? [] : ['folder' as const]),
      ...(isDragging ? (['pinned', 'today', 'archived'] as const) : []),
    ];
    return groupThreads(found, folders, { now, showsEmpty });
  }, [threads, folders, wanted, isSearch, isDragging, now]);
  const isOpen = useCallback(
    ({ key, type }: ThreadGroup) => isSearch || (type !== 'folder' && type !== 'archived') || isKeptOpen(key),
    [isSearch, isKeptOpen],
  );
  const listed = useMemo(() => groups.filter(isOpen).flatMap((group) => group.threads), [groups, isOpen]);
  useEffect(() => {
    visible.current = listed.map(({ id }) => id);
  }, [visible, listed]);
  const nameOf = ({ type, folder }: ThreadGroup) => (type === 'folder' ? (folder?.name ?? '') : t.threads[type]);
  const render = (shown: readonly ShownGroup[]) =>
    shown.map(({ group, heading, threads: inside }) => (
      // Threads can also be dropped here; “Move to folder…” in their menus does the same.
      <section
        key={group.key}
        {...targetOf(group)}
        className={`rounded-md ${over === group.key ? 'bg-accent-soft outline outline-accent' : ''}`}
      >
        {heading === undefined ? null : (
          <GroupHeading
            group={group}
            name={nameOf(group)}
            top={heading.top}
            isOpen={isOpen(group)}
            isRenaming={group.folder !== undefined && renaming === group.folder.id}
            onToggle={
              !isSearch && (group.type === 'folder' || group.type === 'archived')
                ? () => setOpen(group.key, !isKeptOpen(group.key))
                : undefined
            }
          />
        )}
        {inside.length === 0 ? null : (
          <ul aria-label={nameOf(group)}>
            {inside.map(({ thread, place }) => (
              <ThreadEntry
                key={thread.id}
                thread={thread}
                now={now}
                top={place?.top}
                position={place?.position}
                size={place?.size}
                isSelecting={selected.size > 0}
                isSelected={selected.has(thread.id)}
                isRenaming={renaming === thread.id}
                onDragStart={onDragStart}
                onDragEnd={onDragEnd}
              />
            ))}
          </ul>
        )}
      </section>
    ));
  const wasSearch = useRef(isSearch);
  useEffect(() => {
    // After a search, scrolls back to the open thread, which may be far from what was found.
    if (wasSearch.current && !isSearch) scroller?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    wasSearch.current = isSearch;
  }, [isSearch, scroller]);
  useEffect(() => {
    const preload = () => void preloadThreadMenu();
    scroller?.addEventListener('pointerenter', preload);
    return () => scroller?.removeEventListener('pointerenter', preload);
  }, [scroller]);
  if (listed.length > ENTRIES_MAX)
    return (
      <Suspense>
        <VirtualGroups
          {...{ groups, isOpen, scroller, render }}
          // While searching, the first results are shown.
          shownId={isSearch ? null : selectedId}
        />
      </Suspense>
    );
  return render(
    groups.map((group) => ({
      group,
      heading: {},
      threads: isOpen(group) ? group.threads.map((thread) => ({ thread })) : [],
    })),
  );
}
