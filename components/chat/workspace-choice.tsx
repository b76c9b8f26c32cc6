import { FolderClosed } from 'lucide-react';
import { useStudio, useThreads, useWorkspaces } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Select } from '#components/ui/select.tsx';
import { isTemporary } from '#lib/threads/temporary.ts';
import { workspaceName } from '#studio/workspace-name.ts';

/** The value of the option for a workspace of the new thread's own. */
const OWN = 'own';

/**
 * Selects the files that a new thread works on: its own, or those of an existing workspace. Renders nothing if there is no
 * such workspace, or if the new thread is temporary.
 */
export function WorkspaceChoice() {
  const t = useMessages();
  const { threads } = useStudio();
  const list = useWorkspaces((state) => state.list);
  const draftId = useWorkspaces((state) => state.draftId);
  const allThreads = useThreads((state) => state.threads);
  const chosen = useThreads((state) => state.draftWorkspaceId);
  const others = list.filter(({ id }) => id !== draftId).toReversed();
  // A temporary thread has temporary files.
  if (others.length === 0 || (chosen !== null && isTemporary(chosen))) return null;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-2 text-muted text-sm">
      <FolderClosed aria-hidden size={14} />
      {t.workspaces.choice}
      <Select
        label={t.workspaces.choice}
        value={chosen ?? OWN}
        options={[
          { value: OWN, label: t.workspaces.own },
          ...others.map(({ id }) => ({
            value: id,
            label: workspaceName(id, list, allThreads) ?? t.workspaces.unnamed,
          })),
        ]}
        onValueChange={(id) => void threads.continueIn(id === OWN ? null : id)}
      />
    </p>
  );
}
