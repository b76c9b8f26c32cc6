'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { focusComposerIfNoFocus } from '#components/ui/focus.ts';
import MenuList from '#components/ui/menu-list.tsx';
import { removeFolder } from '#studio/arrange-threads.ts';
import type { ThreadFolder } from '#studio/thread-folders.ts';
import { useListActions } from './list-actions.ts';
import type { OpenedMenuProps } from './options-button.tsx';

/** The menu of a folder in the list of threads. It renames or deletes the folder, and keeps the folder's threads. */
export default function FolderMenu({ folder, ...menu }: OpenedMenuProps & { folder: ThreadFolder }) {
  const t = useMessages();
  const texts = useThreadTexts();
  const studio = useStudio();
  const { rename } = useListActions();
  const isEmpty = useThreads(({ threads }) => !threads.some(({ folderId }) => folderId === folder.id));
  return (
    <MenuList
      {...menu}
      align="end"
      entries={[
        { label: t.common.rename, icon: <Pencil aria-hidden size={14} />, onSelect: () => rename(folder.id) },
        {
          label: isEmpty ? texts.deleteFolder : texts.deleteFolderOnly,
          icon: <Trash2 aria-hidden size={14} />,
          danger: true,
          onSelect: () => void removeFolder(studio, folder.id).then(focusComposerIfNoFocus),
        },
      ]}
    />
  );
}
