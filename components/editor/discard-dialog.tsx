'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { basename } from '#lib/vfs/paths.ts';
import type { OpenFile } from '#studio/editing/editor-tabs.ts';

/** Asks the user whether to discard the edits of a file that is to be closed. The workspace could not take these edits. */
export default function DiscardDialog({ file: { id, path }, onClose }: { file: OpenFile; onClose(): void }) {
  const t = useAllMessages();
  const { tabs } = useStudio();
  const discard = () => {
    onClose();
    tabs.close(id);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.editor.discardTitle(basename(path))}>
      <p className="text-sm">{t.editor.discardDetail}</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button data-initial-focus onClick={onClose}>
          {t.common.cancel}
        </Button>
        <Button variant="danger" onClick={discard}>
          {t.editor.discard}
        </Button>
      </div>
    </Dialog>
  );
}
