'use client';

import { hotkeysCoreFeature, syncDataLoaderFeature } from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import { ChevronRight, Ellipsis, File, FilePlus, Folder, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useWorkbench } from '#components/runtime/workbench.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { type FileAction, FileActionDialog } from './file-actions.tsx';
import { type TreeItem, useWorkspaceTree, useWorkspaceTreeUpdates } from './workspace-tree.ts';

const EMPTY: TreeItem = { path: '/', name: '', isDirectory: true, children: [] };

/** The workspace's files: open, make, rename, delete. */
export function FileTree() {
  const t = useMessages();
  useWorkspaceTreeUpdates();
  const items = useWorkspaceTree((state) => state.items);
  const [action, setAction] = useState<FileAction>();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 shrink-0 items-center border-line border-b pr-1 pl-3">
        <h2 className="flex-1 font-semibold text-muted text-xs">{t.files.tree}</h2>
        <IconButton label={t.files.newFile} onClick={() => setAction({ type: 'new-file', directory: '/' })}>
          <FilePlus aria-hidden size={15} />
        </IconButton>
        <IconButton label={t.files.newFolder} onClick={() => setAction({ type: 'new-folder', directory: '/' })}>
          <FolderPlus aria-hidden size={15} />
        </IconButton>
      </div>
      {items === undefined ? null : items.size === 1 ? (
        <p className="p-3 text-muted text-sm">{t.files.empty}</p>
      ) : (
        <Tree items={items} onAction={setAction} />
      )}
      {action === undefined ? null : <FileActionDialog action={action} onClose={() => setAction(undefined)} />}
    </div>
  );
}

function Tree({ items, onAction }: { items: ReadonlyMap<string, TreeItem>; onAction(action: FileAction): void }) {
  const t = useMessages();
  const { openFile } = useWorkbench();
  const tree = useTree<TreeItem>({
    rootItemId: '/',
    initialState: { expandedItems: ['/src'] },
    getItemName: (item) => item.getItemData().name,
    isItemFolder: (item) => item.getItemData().isDirectory,
    onPrimaryAction: (item) => {
      if (!item.getItemData().isDirectory) openFile(item.getId());
    },
    dataLoader: {
      getItem: (path) => items.get(path) ?? { ...EMPTY, path },
      getChildren: (path) => [...(items.get(path)?.children ?? [])],
    },
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the library reads the new items through its loader
  useEffect(() => {
    tree.rebuildTree();
  }, [items, tree]);
  const [activePath, setActivePath] = useState<string>();
  const rows = tree.getItems();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-1">
      <div className="relative">
        <div {...tree.getContainerProps(t.files.tree)}>
          {rows.map((item) => {
            const { path, name, isDirectory } = item.getItemData();
            return (
              <button
                key={item.getKey()}
                type="button"
                {...item.getProps()}
                onPointerEnter={() => setActivePath(path)}
                onFocus={() => {
                  item.setFocused();
                  setActivePath(path);
                }}
                style={{ paddingLeft: `${item.getItemMeta().level * 14 + 4}px` }}
                className={`flex h-7 w-full items-center gap-1 rounded-sm text-left text-sm pointer-coarse:pr-8 ${path === activePath ? 'bg-hover pr-8' : 'pr-1'}`}
              >
                {isDirectory ? (
                  <ChevronRight
                    aria-hidden
                    size={13}
                    className={`shrink-0 text-muted ${item.isExpanded() ? 'rotate-90' : ''}`}
                  />
                ) : (
                  <span className="w-[13px] shrink-0" />
                )}
                {isDirectory ? (
                  <Folder aria-hidden size={14} className="shrink-0 text-muted" />
                ) : (
                  <File aria-hidden size={14} className="shrink-0 text-muted" />
                )}
                <span className="truncate">{visibleText(name)}</span>
              </button>
            );
          })}
        </div>
        {/* A tree holds nothing but its items, so what can be done with them stands beside it, row by row. */}
        <div className="absolute top-0 right-0">
          {rows.map((item) => {
            const { path, isDirectory } = item.getItemData();
            return (
              <div key={item.getKey()} className="flex h-7 items-center">
                <EntryMenu path={path} isDirectory={isDirectory} isActive={path === activePath} onAction={onAction} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function EntryMenu({
  path,
  isDirectory,
  isActive,
  onAction,
}: {
  path: string;
  isDirectory: boolean;
  isActive: boolean;
  onAction(action: FileAction): void;
}) {
  const t = useMessages();
  const { openFile } = useWorkbench();
  const entries = [
    ...(isDirectory
      ? [
          {
            label: t.files.newFile,
            icon: <FilePlus aria-hidden size={14} />,
            onSelect: () => onAction({ type: 'new-file', directory: path }),
          },
          {
            label: t.files.newFolder,
            icon: <FolderPlus aria-hidden size={14} />,
            onSelect: () => onAction({ type: 'new-folder', directory: path }),
          },
        ]
      : [{ label: t.files.open, icon: <File aria-hidden size={14} />, onSelect: () => openFile(path) }]),
    {
      label: t.common.rename,
      icon: <Pencil aria-hidden size={14} />,
      onSelect: () => onAction({ type: 'rename', path }),
    },
    {
      label: t.common.delete,
      icon: <Trash2 aria-hidden size={14} />,
      danger: true,
      onSelect: () => onAction({ type: 'delete', path, isDirectory }),
    },
  ];
  return (
    <Menu
      entries={entries}
      trigger={
        <IconButton
          label={t.files.options(path)}
          className={`size-6 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100 ${isActive ? '' : 'opacity-0'}`}
        >
          <Ellipsis aria-hidden size={14} />
        </IconButton>
      }
    />
  );
}
