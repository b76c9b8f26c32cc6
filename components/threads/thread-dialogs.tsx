'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useStudio } from '#components/runtime/studio-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Thread } from '#lib/threads/thread.ts';

type ThreadDialogProps = { thread: Thread; onClose(): void } & ({ type: 'rename' } | { type: 'delete'; files: number });

/** What the list of threads asks. */
export default function ThreadDialog(props: ThreadDialogProps) {
  return props.type === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}

/** A thread that alone has its workspace takes it along only when the person says so. */
function DeleteDialog({ thread, files, onClose }: { thread: Thread; files: number; onClose(): void }) {
  const t = useMessages();
  const { threads } = useStudio();
  const remove = (deletesWorkspace: boolean) => {
    onClose();
    void threads.delete(thread.id, { deletesWorkspace });
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
  const [title, setTitle] = useState(thread.title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = title.trim();
    if (trimmed !== '') void threads.update(thread.id, { title: trimmed, titledBy: 'person' });
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.threads.renameTitle}>
      <form onSubmit={submit}>
        <label className="block text-sm">
          <span className="text-muted">{t.threads.titleLabel}</span>
          <input
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            maxLength={200}
            data-initial-focus
            className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2"
          />
        </label>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {t.common.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
