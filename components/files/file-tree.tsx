'use client';

import {
  dragAndDropFeature,
  hotkeysCoreFeature,
  type ItemInstance,
  renamingFeature,
  selectionFeature,
  syncDataLoaderFeature,
} from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Ellipsis, X } from 'lucide-react';
import { type DragEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { hasNothingFocus } from '#components/ui/focus.ts';
import { ContextMenu, Menu } from '#components/ui/menu.tsx';
import { basename, dirname, isWithin } from '#lib/vfs/paths.ts';
import { moveInto, movePath, topmost } from '#studio/editing/entry-actions.ts';
import { readDrop } from '#studio/import-files.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import type { TreeItem } from '#studio/workspace-tree.ts';
import { useEntryMenu } from './entry-menu.tsx';
import { type FileAction, FileActionDialog } from './file-actions.tsx';
import { useFileProblem } from './file-problem.ts';
import { FileRow } from './file-row.tsx';
import { renamedPath } from './renamed-path.ts';

const EMPTY: TreeItem = { path: '/', name: '', isDirectory: true, children: [] };

/** The height of a row with a mouse, in CSS pixels, as the classes of rows set it. */
const ROW_HEIGHT = 28;
/** The height of a row on touch screens, in CSS pixels. */
const COARSE_HEIGHT = 44;

/** The tree of the workspace's files, in which people open, create, rename, move, delete, and import files. */
export function FileTree({ workspace }: { workspace: OpenedWorkspace }) {
  const t = useAllMessages();
  const { imports } = useStudio();
  const items = useWorkspaceTree((state) => (state.workspaceId === workspace.id ? state.items : undefined));
  const [action, setAction] = useState<FileAction>();
  const problem = useFileProblem();
  const drop = (data: DataTransfer, directory: string) => void imports.add(workspace, directory, readDrop(data));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {problem.text === undefined ? null : (
        <p role="alert" className="flex shrink-0 items-start gap-1 px-3 pb-1 text-failed text-sm">
          <span className="min-w-0 flex-1 break-words">{problem.text}</span>
          <IconButton label={t.common.close} size="tiny" onClick={problem.clear}>
            <X aria-hidden size={14} />
          </IconButton>
        </p>
      )}
      {items === undefined ? null : items.size === 1 ? (
        <EmptyDropZone onDrop={(data) => drop(data, '/')} />
      ) : (
        <Tree workspace={workspace} items={items} onAction={setAction} onDropFiles={drop} attempt={problem.attempt} />
      )}
      {action === undefined ? null : (
        <FileActionDialog workspace={workspace} action={action} onClose={() => setAction(undefined)} />
      )}
    </div>
  );
}

function EmptyDropZone({ onDrop }: { onDrop(data: DataTransfer): void }) {
  const t = useAllMessages();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the menu above offers the same
    <div
      className="min-h-0 flex-1 p-3 text-muted text-sm"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(event.dataTransfer);
      }}
    >
      <p>{t.files.empty}</p>
      <p className="mt-1">{t.files.emptyHint}</p>
    </div>
  );
}

interface TreeProps {
  workspace: OpenedWorkspace;
  items: ReadonlyMap<string, TreeItem>;
  onAction(action: FileAction): void;
  onDropFiles(data: DataTransfer, directory: string): void;
  /** Runs an operation. If it fails, shows why above the tree. */
  attempt(work: () => Promise<void>): void;
}

function Tree({ workspace, items, onAction, onDropFiles, attempt }: TreeProps) {
  const t = useAllMessages();
  const { openFile } = useWorkbench();
  const { filePane, edits, tabs } = useStudio();
  const editing = { edits, tabs };
  const scroller = useRef<HTMLDivElement>(null);
  const directoryAt = (item: ItemInstance<TreeItem>) => {
    const { path, isDirectory } = item.getItemData();
    return isDirectory ? path : dirname(path);
  };
  /** Whether the latest click only selects and opens no file, because Ctrl, Command, or Shift was held. */
  const isSelecting = useRef(false);
  const tree = useTree<TreeItem>({
    rootItemId: '/',
    initialState: { expandedItems: [...(filePane.trees.get(workspace.id)?.expanded ?? ['/src'])] },
    getItemName: (item) => item.getItemData().name,
    isItemFolder: (item) => item.getItemData().isDirectory,
    onPrimaryAction: (item) => {
      if (!item.getItemData().isDirectory && !isSelecting.current) openFile(item.getId());
    },
    scrollToItem: (item) => virtualizer.scrollToIndex(item.getItemMeta().index),
    dataLoader: {
      getItem: (path) => items.get(path) ?? { ...EMPTY, path, name: basename(path) },
      getChildren: (path) => [...(items.get(path)?.children ?? [])],
    },
    canReorder: false,
    canDrop: (dragged, { item }) => dragged.some((moved) => dirname(moved.getId()) !== directoryAt(item)),
    onDrop: (dragged, { item }) =>
      attempt(() =>
        moveInto(
          editing,
          workspace,
          dragged.map((moved) => moved.getId()),
          directoryAt(item),
        ),
      ),
    canDragForeignDragObjectOver: ({ types }) => types.includes('Files'),
    canDropForeignDragObject: ({ types }) => types.includes('Files'),
    onDropForeignDragObject: (data, { item }) => onDropFiles(data, directoryAt(item)),
    hotkeys: {
      completeRenaming: {
        hotkey: 'Enter',
        allowWhenInputFocused: true,
        isEnabled: (tree) => tree.isRenamingItem(),
        // Lets the user correct an invalid name rather than type it again.
        handler: () =>
          attempt(async () => {
            const path = tree.getRenamingItem()?.getId() ?? '/';
            const target = targetOf(path, tree.getRenamingValue());
            // The library would give the focus to the entry once more later, when the user may have gone on.
            tree.applySubStateUpdate('renamingItem', null);
            tree.getItemInstance(target).setFocused();
            setRenamed(target);
            rename(path, target);
          }),
      },
      customDelete: { hotkey: 'Delete', handler: ({ target }) => remove(selected(target)) },
    },
    features: [syncDataLoaderFeature, selectionFeature, hotkeysCoreFeature, dragAndDropFeature, renamingFeature],
  });
  /** The new path of an entry that was renamed with Enter, until the entry is in the tree and has the focus. */
  const [renamed, setRenamed] = useState<string>();
  const targetOf = (path: string, name: string) => renamedPath(path, name, (target) => items.has(target), t);
  const rename = (path: string, target: string) => {
    if (target === path) return;
    attempt(() =>
      movePath(editing, workspace, path, target).catch((error: unknown) => {
        setRenamed((waited) => (waited === target ? path : waited));
        throw error;
      }),
    );
  };
  /** Takes the new name from a field that has lost the focus. Unlike Enter, this does not move the focus back to the tree. */
  const leaveName = () => {
    const path = tree.getRenamingItem()?.getId();
    if (path === undefined) return;
    tree.applySubStateUpdate('renamingItem', null);
    attempt(async () => rename(path, targetOf(path, tree.getRenamingValue())));
  };
  const rows = tree.getItems();
  const [isCoarse] = useState(() => matchMedia('(pointer: coarse)').matches);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCoarse ? COARSE_HEIGHT : ROW_HEIGHT),
    overscan: 12,
  });
  /** The paths that Delete applies to: the selected entries if the focused one is among them, otherwise only that one. */
  const selected = (target: EventTarget | null): string[] => {
    // The row that received the key. The library may not know about it yet.
    const row = target instanceof HTMLElement ? target.dataset.path : undefined;
    const focused = row ?? tree.getFocusedItem().getId();
    const chosen = tree.getState().selectedItems.filter((path) => items.has(path));
    return topmost(chosen.includes(focused) ? chosen : [focused]);
  };
  const remove = (paths: readonly string[]) => {
    onAction({ type: 'delete', paths, isDirectory: paths.some((path) => items.get(path)?.isDirectory === true) });
    neighbor(rows, paths)?.setFocused();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items are in the tree once it is built again
  useEffect(() => tree.rebuildTree(), [items, tree]);
  // Focuses the renamed entry once it is shown, some renderings later, unless the user has gone on elsewhere.
  useEffect(() => {
    if (renamed === undefined) return;
    if (tree.isRenamingItem() || !hasNothingFocus()) {
      setRenamed(undefined);
      return;
    }
    if (!items.has(renamed)) return;
    const item = tree.getItemInstance(renamed);
    const element = item.getElement();
    if (element == null) {
      const row = rows.findIndex((one) => one.getId() === renamed);
      if (row >= 0) virtualizer.scrollToIndex(row);
      return;
    }
    setRenamed(undefined);
    item.setFocused();
    element.focus();
  });
  const openPath = useStore(tabs.state, ({ activeId, files }) => files.find(({ id }) => id === activeId)?.path);
  // The tree follows the editor. The focus stays where it is.
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (openPath === undefined || openPath === followed.current || !items.has(openPath)) return;
    followed.current = openPath;
    for (let folder = dirname(openPath); folder !== '/'; folder = dirname(folder))
      tree.getItemInstance(folder).expand();
    const index = tree.getItems().findIndex((item) => item.getId() === openPath);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [openPath, items, tree, virtualizer]);
  useEffect(() => {
    const element = scroller.current;
    const saved = filePane.trees.get(workspace.id);
    if (element !== null && saved !== undefined) element.scrollTop = saved.scrollTop;
    return () => {
      const expanded = tree.getState().expandedItems;
      filePane.trees.set(workspace.id, { expanded, scrollTop: element?.scrollTop ?? 0 });
    };
  }, [workspace.id, tree, filePane]);
  const [activePath, setActivePath] = useState<string>();
  const [contextAt, setContextAt] = useState<{ x: number; y: number; path: string }>();
  const entryMenu = useEntryMenu({ workspace, onAction, attempt });
  const menuOf = (path: string) => {
    const item = tree.getItemInstance(path);
    const chosen = tree.getState().selectedItems.filter((other) => items.has(other));
    const paths = chosen.includes(path) && chosen.length > 1 ? topmost(chosen) : [path];
    return entryMenu({
      paths,
      isDirectory: item.getItemData().isDirectory,
      rename: () => item.startRenaming(),
      remove: () => remove(paths),
    });
  };
  const [isOverRoot, setOverRoot] = useState(false);
  const dropOnRoot = (event: DragEvent<HTMLElement>) => {
    setOverRoot(false);
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    const dragged = tree.getState().dnd?.draggedItems?.map((item) => item.getId());
    if (dragged === undefined) onDropFiles(event.dataTransfer, '/');
    else attempt(() => moveInto(editing, workspace, dragged, '/'));
  };
  const onContextMenu = (event: MouseEvent, path: string) => {
    event.preventDefault();
    setContextAt({ x: event.clientX, y: event.clientY, path });
  };
  const shown = virtualizer.getVirtualItems().flatMap((row) => {
    const item = rows[row.index];
    return item === undefined ? [] : [{ item, top: row.start }];
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the area below the last entry stands for the root; menus offer the same
    <div
      ref={scroller}
      data-focus-home
      onDragOver={(event) => {
        const isBelow = event.target === event.currentTarget;
        setOverRoot(isBelow);
        if (isBelow) event.preventDefault();
      }}
      onDragLeave={() => setOverRoot(false)}
      onDrop={dropOnRoot}
      className={`min-h-0 flex-1 overflow-y-auto p-1 ${isOverRoot ? 'bg-accent/15' : ''}`}
    >
      <div className="relative" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        <div
          {...tree.getContainerProps(t.files.tree)}
          data-own-focus={renamed === undefined ? undefined : ''}
          onClickCapture={({ ctrlKey, metaKey, shiftKey }) => {
            isSelecting.current = ctrlKey || metaKey || shiftKey;
          }}
          onKeyDownCapture={() => {
            isSelecting.current = false;
          }}
          translate="no"
          className="absolute inset-0"
        >
          {shown.map(({ item, top }) => (
            <FileRow
              key={item.getKey()}
              item={item}
              top={top}
              isActive={item.getId() === activePath}
              isOpen={item.getId() === openPath}
              onActive={setActivePath}
              onContextMenu={onContextMenu}
              onLeaveName={leaveName}
            />
          ))}
        </div>
        {/* A tree may contain only its items, so the buttons for each row are siblings of the tree. */}
        {shown.map(({ item, top }) => {
          const path = item.getId();
          // The field for a new name takes the whole row.
          if (item.isRenaming()) return null;
          return (
            <div
              key={item.getKey()}
              className="absolute right-0 flex h-7 items-center pointer-coarse:h-[44px]"
              style={{ top }}
            >
              <Menu
                entries={menuOf(path)}
                trigger={
                  <IconButton
                    label={t.files.options(path)}
                    size="tiny"
                    className={`focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100 ${path === activePath ? '' : 'opacity-0'}`}
                  >
                    <Ellipsis aria-hidden size={14} />
                  </IconButton>
                }
              />
            </div>
          );
        })}
      </div>
      {contextAt === undefined ? null : (
        <ContextMenu
          key={`${contextAt.x}:${contextAt.y}:${contextAt.path}`}
          at={contextAt}
          entries={menuOf(contextAt.path)}
          onClose={() => setContextAt(undefined)}
        />
      )}
    </div>
  );
}

/** The entry to focus when others are removed: the next one that stays, or else the one before. */
function neighbor(
  rows: readonly ItemInstance<TreeItem>[],
  gone: readonly string[],
): ItemInstance<TreeItem> | undefined {
  const isGone = (row: ItemInstance<TreeItem>) => gone.some((path) => isWithin(row.getId(), path));
  const first = rows.findIndex(isGone);
  return rows.slice(first).find((row) => !isGone(row)) ?? rows[first - 1];
}
