'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { FOLDER_NAME_MAX, type ThreadFolder } from '#studio/thread-folders.ts';
import NameField from './name-field.tsx';

/** The field in the place of a folder's name, to edit it. `onClose`: called with whether Enter or Esc has closed it. */
export default function FolderName({ folder, onClose }: { folder: ThreadFolder; onClose(isByKey: boolean): void }) {
  const texts = useThreadTexts();
  const { threadFolders } = useStudio();
  return (
    <NameField
      label={texts.folderName}
      name={folder.name}
      maxLength={FOLDER_NAME_MAX}
      onRename={(name) => void threadFolders.rename(folder.id, name)}
      onClose={onClose}
    />
  );
}
