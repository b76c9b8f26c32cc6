'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { catchFocus } from '#components/ui/focus.ts';
import { NameDialog } from '#components/ui/name-dialog.tsx';
import type { Thread } from '#lib/threads/thread.ts';

type ThreadDialogProps = { thread: Thread; onClose(): void } & ({ type: 'rename' } | { type: 'delete'; files: number });

/** The dialogs of the thread list. */
export default function ThreadDialog(props: ThreadDialogProps) {
  return props.type === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}

/** Deletes a thread. If no other thread uses its workspace, it is deleted only if the user chooses so. */
function DeleteDialog({ thread, files, onClose }: { thread: Thread; files: number; onClose(): void }) {
  const t = useMessages();
  const { threads } = useStudio();
  const remove = (deletesWorkspace: boolean) => {
    onClose();
    void threads.delete(thread.id, { deletesWorkspace }).then(catchFocus);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.threads.deleteTitle(thread.title || t.threads.untitled)}>
      <p className="text-sm">{t.threads.deleteDetail(files)}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button data-initial-focus onClick={() => remove(false)}>
          {t.threads.keepFiles}
        </Button>
        <Button variant="danger" onClick={() => remove(true)}>
          {t.threads.deleteFiles}
        </Button>
      </div>
    </Dialog>
  );
}

function RenameDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const t = useMessages();
  const { threads } = useStudio();
  return (
    <NameDialog
      title={t.threads.renameTitle}
      label={t.threads.titleLabel}
      name={thread.title}
      maxLength={200}
      onRename={(title) => {
        if (title !== '') void threads.update(thread.id, { title, titledBy: 'person' });
      }}
      onClose={onClose}
    />
  );
}
