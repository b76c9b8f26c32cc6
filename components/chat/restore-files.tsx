import { FolderClock } from 'lucide-react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { useRestoreFiles } from './use-restore-files.ts';

/**
 * A button that restores the files to their state when a message of the user was sent. It asks first if that would undo
 * later changes by the person or by other threads, or if tools of other threads are running. A running turn ends; the
 * messages stay.
 */
export function RestoreFiles({ messageId }: { messageId: string }) {
  const t = useAllMessages();
  const restore = useRestoreFiles(messageId);
  if (restore === undefined) return null;
  return (
    <IconButton label={t.messages.restoreFiles} onClick={restore}>
      <FolderClock aria-hidden size={15} />
    </IconButton>
  );
}
