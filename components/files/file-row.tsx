import type { ItemInstance } from '@headless-tree/core';
import { ChevronRight, File, Folder } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { TreeItem } from '#studio/workspace-tree.ts';

interface FileRowProps {
  item: ItemInstance<TreeItem>;
  top: number;
  isActive: boolean;
  /** Whether the editor shows this file. */
  isOpen: boolean;
  onActive(path: string): void;
  onContextMenu(event: MouseEvent, path: string): void;
  /** Called when the field for a new name loses the focus. */
  onLeaveName(): void;
}

/**
 * An entry of the tree of files, or the field for its new name. `isOpen`: whether the editor shows this file. `onActive`:
 * called when the pointer or the focus comes to it. `onLeaveName`: called when the field for the name loses the focus.
 */
export function FileRow({ item, top, isActive, isOpen, onActive, onContextMenu, onLeaveName }: FileRowProps) {
  const t = useAllMessages();
  const { path, name, isDirectory } = item.getItemData();
  const place = { top, paddingLeft: `${item.getItemMeta().level * 14 + 4}px` };
  const icons = (
    <>
      {isDirectory ? (
        <ChevronRight aria-hidden size={13} className={`shrink-0 text-muted ${item.isExpanded() ? 'rotate-90' : ''}`} />
      ) : (
        <span className="w-[13px] shrink-0" />
      )}
      {isDirectory ? (
        <Folder aria-hidden size={14} className="shrink-0 text-muted" />
      ) : (
        <File aria-hidden size={14} className="shrink-0 text-muted" />
      )}
    </>
  );
  if (item.isRenaming()) {
    return (
      <div
        className="absolute right-0 left-0 flex h-7 items-center gap-1 pr-1 text-sm pointer-coarse:h-[44px]"
        style={place}
      >
        {icons}
        <input
          {...item.getRenameInputProps()}
          // Not if the whole window has lost the focus: the field has it again when the window does.
          onBlur={() => document.hasFocus() && onLeaveName()}
          // Select the name without its extension, which is what people usually change.
          onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, stemLength(name, isDirectory))}
          aria-label={t.files.newName(name)}
          className="h-6 min-w-0 flex-1 rounded-sm border border-accent bg-surface px-1"
        />
      </div>
    );
  }
  const marked = item.isUnorderedDragTarget()
    ? 'bg-accent/15 outline-accent outline'
    : item.isSelected() || isOpen
      ? 'bg-active'
      : isActive
        ? 'bg-hover'
        : '';
  return (
    <button
      type="button"
      {...item.getProps()}
      data-path={path}
      aria-current={isOpen ? 'true' : undefined}
      onPointerEnter={() => onActive(path)}
      onContextMenu={(event) => onContextMenu(event, path)}
      onFocus={() => {
        item.setFocused();
        onActive(path);
      }}
      style={place}
      className={`absolute right-0 left-0 flex h-7 items-center gap-1 rounded-sm text-left text-sm pointer-coarse:pr-11 ${isActive ? 'pr-8' : 'pr-1'} ${marked}`}
    >
      {icons}
      <span className="truncate">{visibleText(name)}</span>
    </button>
  );
}

/** The length, in characters, of a name without its extension; all of a folder's name. */
function stemLength(name: string, isDirectory: boolean): number {
  const dot = name.lastIndexOf('.');
  return isDirectory || dot <= 0 ? name.length : dot;
}
