'use client';

import { ChevronRight, Folder } from 'lucide-react';
import { type KeyboardEvent, Suspense, useRef } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import type { ThreadGroup } from './group-threads.ts';
import { useListActions } from './list-actions.ts';
import { OptionsButton } from './options-button.tsx';

const FolderName = lazyView(retriedUntilLoaded(() => import('./folder-name.tsx')));
const FolderMenu = lazyView(retriedUntilLoaded(() => import('./folder-menu.tsx')));

interface GroupHeadingProps {
  group: ThreadGroup;
  name: string;
  isOpen: boolean;
  isRenaming: boolean;
  /** The heading's top in the list, in CSS pixels; undefined if all of the list is in the document. */
  top: number | undefined;
  /** Opens or closes the group; absent if it is always open. */
  onToggle: (() => void) | undefined;
}

/**
 * The heading of a group in the list of threads. `onToggle`: called by a click, to open or close the group, which is a
 * folder or the archive; undefined for groups that are always open. `top`: its distance from the top of the list, in CSS
 * pixels; undefined if all of the list is in the document.
 */
export function GroupHeading({ group, name, isOpen, isRenaming, top, onToggle }: GroupHeadingProps) {
  const t = useMessages();
  const { rename } = useListActions();
  const button = useRef<HTMLButtonElement>(null);
  const { folder } = group;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || folder === undefined) return;
    event.preventDefault();
    rename(folder.id);
  };
  const heading = (
    <h2 className="min-w-0 flex-1 truncate font-semibold text-muted text-xs">
      {onToggle === undefined ? (
        name
      ) : (
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          onClick={({ detail }) => detail < 2 && onToggle()}
          onDoubleClick={() => folder === undefined || rename(folder.id)}
          onKeyDown={onKeyDown}
          className="flex h-7 w-full items-center gap-1 rounded-md"
        >
          <ChevronRight aria-hidden size={13} className={`shrink-0 ${isOpen ? 'rotate-90' : ''}`} />
          {folder === undefined ? null : <Folder aria-hidden size={13} className="shrink-0" />}
          <span className="truncate">{name}</span>
        </button>
      )}
    </h2>
  );
  return (
    <div
      data-row={group.key}
      style={top === undefined ? undefined : { top }}
      className={`group/heading flex h-8 items-center px-2 pointer-coarse:h-[44px] ${onToggle === undefined ? 'pt-2' : 'pr-1 pl-1'} ${top === undefined ? 'relative' : 'absolute inset-x-0'}`}
    >
      {isRenaming && folder !== undefined ? (
        <Suspense fallback={heading}>
          <FolderName
            folder={folder}
            onClose={(isByKey) => {
              rename(undefined);
              if (isByKey) requestAnimationFrame(() => button.current?.focus());
            }}
          />
        </Suspense>
      ) : (
        heading
      )}
      {isOpen ? null : (
        <span aria-hidden className="px-1 text-muted text-xs tabular-nums">
          {group.threads.length}
        </span>
      )}
      {folder === undefined ? null : (
        <OptionsButton
          label={t.threads.options(folder.name)}
          className="opacity-0 focus-visible:opacity-100 group-focus-within/heading:opacity-100 group-hover/heading:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
          menu={(menu) => <FolderMenu {...menu} folder={folder} />}
        />
      )}
    </div>
  );
}
