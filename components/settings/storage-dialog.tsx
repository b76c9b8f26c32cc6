'use client';

import { useSaveBackup } from '#components/hooks/use-save-backup.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { StorageControls } from './storage-controls.tsx';

/** Warns in time that this browser's storage is nearly full, and offers to free some of it and to save a backup. */
export default function StorageDialog({ onClose }: { onClose(): void }) {
  const t = useAllMessages();
  const save = useSaveBackup();
  return (
    <Dialog open onOpenChange={onClose} title={t.storage.nearlyFull} description={t.storage.nearlyFullDetail}>
      <StorageControls />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={save}>{t.settings.saveBackup}</Button>
        <Button data-initial-focus onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
