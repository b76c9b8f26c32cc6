'use client';

import { MessageCircleQuestion } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type MouseEvent, memo, Suspense, useId, useRef } from 'react';
import { useModels, useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { findModel, modelName, nameOfGone } from '#studio/models.ts';
import { threadUrl } from '#studio/page/navigation.ts';
import { activityTime } from './activity-time.ts';
import { useListActions } from './list-actions.ts';
import { OptionsButton } from './options-button.tsx';

const NameField = lazyView(retriedUntilLoaded(() => import('./name-field.tsx')));
const ThreadMenu = lazyView(retriedUntilLoaded(() => import('./thread-menu.tsx')));

/** Loads the code of the threads' menu, and of the notices about its commands, before they are needed. */
export const preloadThreadMenu = async (): Promise<void> => {
  await Promise.all([ThreadMenu.preload(), import('./list-notices.tsx')]);
};

/** The maximum length of a title, in characters. */
const TITLE_MAX = 200;

interface ThreadEntryProps {
  thread: Thread;
  /**
   * The distance from the top of the list, in CSS pixels, as in `ShownThread`; undefined if all of the list is in the
   * document.
   */
  top: number | undefined;
  /** The thread's number in its group, as in `ShownThread`; undefined if all of the list is in the document. */
  position: number | undefined;
  /** The number of threads in the group, as in `ShownThread`; undefined if all of the list is in the document. */
  size: number | undefined;
  /** The current time, in milliseconds since the epoch. */
  now: number;
  /** Whether threads are being selected, so that a click selects this one. */
  isSelecting: boolean;
  isSelected: boolean;
  isRenaming: boolean;
  onDragStart(event: DragEvent, id: string): void;
  onDragEnd(): void;
}

/**
 * A thread of the list: its title, when something last happened in it, its model, and its commands. `top`, `position`, and
 * `size` say where it stands in a long list of which only a part is in the document; otherwise, they are undefined.
 */
export const ThreadEntry = memo(function ThreadEntry(props: ThreadEntryProps) {
  const { thread, now, isSelecting, isSelected, isRenaming, top, position, size, onDragStart, onDragEnd } = props;
  const t = useMessages();
  const { threads } = useStudio();
  const { rename, toggle } = useListActions();
  const isOpen = useThreads((state) => state.selectedId === thread.id);
  const link = useRef<HTMLAnchorElement>(null);
  const id = useId();
  const title = thread.title || t.threads.untitled;
  const isKept = !isTemporary(thread.id);
  const face = isSelected ? 'bg-accent-soft' : isOpen ? 'bg-active' : 'hover:bg-hover';
  const titleLink = <TitleLink {...{ thread, title, isOpen, isSelecting, id, link }} />;
  return (
    <li
      data-row={thread.id}
      aria-posinset={position}
      aria-setsize={size}
      draggable={isKept && !isRenaming}
      onDragStart={(event) => onDragStart(event, thread.id)}
      onDragEnd={onDragEnd}
      style={top === undefined ? undefined : { top }}
      className={`group/thread flex h-10 select-none items-center rounded-md px-2 focus-within:pr-9 hover:pr-9 pointer-coarse:h-[44px] pointer-coarse:pr-9 ${top === undefined ? 'relative' : 'absolute inset-x-0'} ${face}`}
    >
      {isSelecting ? (
        <input
          type="checkbox"
          aria-labelledby={id}
          checked={isSelected}
          onChange={() => toggle(thread.id)}
          className="relative z-10 mr-2 size-4 shrink-0"
        />
      ) : null}
      <div className="flex min-w-0 flex-1 flex-col">
        {isRenaming ? (
          <Suspense fallback={titleLink}>
            <NameField
              label={t.threads.titleLabel}
              name={thread.title}
              maxLength={TITLE_MAX}
              onRename={(name) => void threads.update(thread.id, { title: name, titledBy: 'person' })}
              onClose={(isByKey) => {
                rename(undefined);
                if (isByKey) requestAnimationFrame(() => link.current?.focus());
              }}
            />
          </Suspense>
        ) : (
          <>
            {titleLink}
            <Detail thread={thread} now={now} id={`${id}-detail`} />
          </>
        )}
      </div>
      <ActivityMark thread={thread} />
      <OptionsButton
        label={t.threads.options(title)}
        className="absolute right-1 z-10 opacity-0 focus-visible:opacity-100 group-hover/thread:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
        menu={(menu) => <ThreadMenu {...menu} thread={thread} />}
      />
    </li>
  );
});

interface TitleLinkProps {
  thread: Thread;
  title: string;
  isOpen: boolean;
  isSelecting: boolean;
  id: string;
  link: React.RefObject<HTMLAnchorElement | null>;
}

/** The link to a thread, which covers its whole entry. Its accessible name is only the title; the rest is its description. */
function TitleLink({ thread, title, isOpen, isSelecting, id, link }: TitleLinkProps) {
  const { openThread } = useWorkbench();
  const { rename, toggle, selectTo } = useListActions();
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    if (event.shiftKey) selectTo(thread.id);
    else if (event.metaKey || event.ctrlKey || isSelecting) toggle(thread.id);
    // The second click of a double click does not open the thread again.
    else if (event.detail < 2) openThread(thread.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'F2') return;
    event.preventDefault();
    rename(thread.id);
  };
  return (
    <a
      ref={link}
      id={id}
      href={threadUrl(thread.id)}
      draggable={false}
      dir="auto"
      aria-current={isOpen ? 'page' : undefined}
      aria-describedby={`${id}-detail`}
      onClick={onClick}
      onDoubleClick={() => isSelecting || rename(thread.id)}
      onKeyDown={onKeyDown}
      className="truncate text-left text-sm leading-5 outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {title}
    </a>
  );
}

/** When something last happened in a thread, and its model: its own, or else the one that has answered last, or the default. */
function Detail({ thread, now, id }: { thread: Thread; now: number; id: string }) {
  const t = useMessages();
  const preferred = useSettings(({ defaultModel }) => defaultModel);
  const model = useModels((state) => {
    const modelId = thread.settings.model ?? thread.lastModel ?? preferred ?? state.list?.defaultModel ?? null;
    if (modelId === null) return undefined;
    // Until the list of models is loaded, no name is shown, because it may differ.
    const found = findModel(state, modelId);
    if (found !== undefined) return modelName(found, t.controls.demoModel);
    return state.list === undefined ? undefined : nameOfGone(modelId);
  });
  const parts = [
    ...(isTemporary(thread.id) ? [t.threads.temporary] : []),
    activityTime(thread.updatedAt, now, t.locale),
    ...(model === undefined ? [] : [model]),
  ];
  return (
    <span id={id} aria-hidden className="truncate text-muted text-xs leading-4">
      {parts.join(' · ')}
    </span>
  );
}

function ActivityMark({ thread }: { thread: Thread }) {
  const t = useMessages();
  if (thread.activity === 'settled') return null;
  const words = t.threads.activity[thread.activity];
  return (
    <span title={words} className={`ml-1 ${thread.activity === 'asking' ? 'text-waiting' : 'text-running'}`}>
      {thread.activity === 'asking' ? <MessageCircleQuestion aria-hidden size={15} /> : <Spinner size={13} />}
      <span className="sr-only">{words}</span>
    </span>
  );
}
