'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useSaveBackup } from '#components/hooks/use-save-backup.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { REMIND_AFTER_MS } from './use-is-backup-due.ts';

/**
 * A box that reminds the user to save a backup, because this browser holds the only copy of their data. It can be dismissed for
 * a while. Rendered only if `useIsBackupDue` says so.
 */
export default function BackupReminder() {
  const t = useAllMessages();
  const studio = useStudio();
  const save = useSaveBackup();
  return (
    <div className="m-2 rounded-md border border-line bg-raised p-2 text-sm">
      <p>{t.backup.reminder}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={save}>{t.backup.save}</Button>
        <Button
          variant="ghost"
          onClick={() => void studio.settings.change({ backupReminderHiddenUntil: Date.now() + REMIND_AFTER_MS })}
        >
          {t.backup.later}
        </Button>
      </div>
    </div>
  );
}
