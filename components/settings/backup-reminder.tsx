'use client';

import { useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { saveBackup } from '#studio/save-backup.ts';

const DAY_MS = 86_400_000;
/** With fewer threads, there is little to lose. */
const REMIND_FROM_THREADS = 3;
const REMIND_AFTER_MS = 14 * DAY_MS;

/** Reminds the user now and then that this browser holds the only copy. Can be dismissed for a while. */
export function BackupReminder() {
  const t = useMessages();
  const studio = useStudio();
  const count = useThreads((state) => state.threads.length);
  const backedUpAt = useSettings((state) => state.backedUpAt);
  const hiddenUntil = useSettings((state) => state.backupReminderHiddenUntil);
  const now = Date.now();
  const isDue =
    count >= REMIND_FROM_THREADS && now > hiddenUntil && (backedUpAt === null || now - backedUpAt > REMIND_AFTER_MS);
  if (!isDue) return null;
  return (
    <div className="m-2 rounded-md border border-line bg-raised p-2 text-sm">
      <p>{t.backup.reminder}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => void saveBackup(studio)}>{t.backup.save}</Button>
        <Button
          variant="ghost"
          onClick={() => void studio.settings.change({ backupReminderHiddenUntil: now + REMIND_AFTER_MS })}
        >
          {t.backup.later}
        </Button>
      </div>
    </div>
  );
}
