'use client';

import { FolderPlus, MessageCircleDashed } from 'lucide-react';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import MenuList from '#components/ui/menu-list.tsx';
import { temporaryId } from '#lib/threads/temporary.ts';
import { useListActions } from './list-actions.ts';
import type { OpenedMenuProps } from './options-button.tsx';

/** The menu beside the button for a new thread. It adds a temporary thread or a folder. */
export default function ListMenu(menu: OpenedMenuProps) {
  const texts = useThreadTexts();
  const { newThread } = useWorkbench();
  const { ask } = useListActions();
  return (
    <MenuList
      {...menu}
      align="end"
      entries={[
        {
          label: texts.newTemporary,
          icon: <MessageCircleDashed aria-hidden size={14} />,
          // A thread is temporary if its workspace has a temporary id.
          onSelect: () => newThread(temporaryId()),
        },
        {
          label: texts.newFolder,
          icon: <FolderPlus aria-hidden size={14} />,
          onSelect: () => ask({ type: 'new-folder' }),
        },
      ]}
    />
  );
}
