import { FolderClock } from 'lucide-react';
import { useStudio, useThreads, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';

/** A button that restores the files to their state at a message. The conversation stays as it is. */
export function RestoreFiles({ messageId }: { messageId: string }) {
  const t = useAllMessages();
  const { moveQuestions } = useStudio();
  const session = useThreads((state) => state.session);
  const workspace = useWorkspace();
  if (session === undefined || workspace === undefined) return null;
  const restore = async () => {
    const before = await session.restoreFiles(messageId);
    if (before !== undefined) moveQuestions.showMoved(workspace, before);
  };
  return (
    <IconButton label={t.messages.restoreFiles} onClick={() => void restore()}>
      <FolderClock aria-hidden size={15} />
    </IconButton>
  );
}
