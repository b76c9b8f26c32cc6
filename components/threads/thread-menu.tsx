'use client';

import {
  Archive,
  ArchiveRestore,
  Download,
  ExternalLink,
  FolderInput,
  Pencil,
  Pin,
  PinOff,
  SquareCheck,
  Trash2,
} from 'lucide-react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import MenuList, { type MenuEntry } from '#components/ui/menu-list.tsx';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { threadUrl } from '#studio/page/navigation.ts';
import { useListActions } from './list-actions.ts';
import type { OpenedMenuProps } from './options-button.tsx';
import { useThreadCommands } from './use-thread-commands.ts';

/**
 * The menu of a thread. A temporary thread, which is not stored, cannot be pinned, moved, archived, or opened in another tab.
 */
export default function ThreadMenu({ thread, ...menu }: OpenedMenuProps & { thread: Thread }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const { ask, rename, toggle } = useListActions();
  const { arrange, exportAll, remove } = useThreadCommands();
  const [isPinned, isArchived] = [thread.pinnedAt !== undefined, thread.archivedAt !== undefined];
  const filing: MenuEntry[] = [
    {
      label: isPinned ? texts.unpin : texts.pin,
      icon: isPinned ? <PinOff aria-hidden size={14} /> : <Pin aria-hidden size={14} />,
      onSelect: () => void arrange([thread], isPinned ? 'unpin' : 'pin'),
    },
    {
      label: texts.move,
      icon: <FolderInput aria-hidden size={14} />,
      onSelect: () => ask({ type: 'move', threads: [thread] }),
    },
    {
      label: isArchived ? texts.unarchive : texts.archive,
      icon: isArchived ? <ArchiveRestore aria-hidden size={14} /> : <Archive aria-hidden size={14} />,
      onSelect: () => void arrange([thread], isArchived ? 'unarchive' : 'archive'),
    },
    {
      label: texts.openInTab,
      icon: <ExternalLink aria-hidden size={14} />,
      onSelect: () => void window.open(threadUrl(thread.id), '_blank', 'noopener'),
    },
  ];
  const entries: MenuEntry[] = [
    { label: t.common.rename, icon: <Pencil aria-hidden size={14} />, onSelect: () => rename(thread.id) },
    ...(isTemporary(thread.id) ? [] : filing),
    { label: texts.export, icon: <Download aria-hidden size={14} />, onSelect: () => exportAll([thread]) },
    { label: texts.select, icon: <SquareCheck aria-hidden size={14} />, onSelect: () => toggle(thread.id) },
    {
      label: t.common.delete,
      icon: <Trash2 aria-hidden size={14} />,
      danger: true,
      onSelect: () => void remove([thread]),
    },
  ];
  return <MenuList {...menu} entries={entries} align="end" />;
}
