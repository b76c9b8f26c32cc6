import { useStudio, useThreads, useWorkspace } from '#components/hooks/studio-provider.tsx';

/**
 * Returns a function that restores the files to their state at a message. It asks first if that would undo later changes by
 * the person or by other threads, or if tools of other threads are running. Undefined while no thread or no workspace is
 * open. The conversation stays as it is.
 */
export function useRestoreFiles(messageId: string): (() => void) | undefined {
  const { moveQuestions } = useStudio();
  const session = useThreads((state) => state.session);
  const workspace = useWorkspace();
  if (session === undefined || workspace === undefined) return undefined;
  const restore = async () => {
    const before = await session.restoreFiles(messageId);
    if (before !== undefined) moveQuestions.showMoved(workspace, before);
  };
  return () => void restore();
}
