import { useSettings, useThreads } from '#components/hooks/studio-provider.tsx';

const DAY_MS = 86_400_000;
/** The number of threads from which the person is reminded. With fewer, there is little to lose. */
const REMIND_FROM_THREADS = 3;

/** The time without reminders after a backup, or after the person has dismissed a reminder, in milliseconds. */
export const REMIND_AFTER_MS = 14 * DAY_MS;

/**
 * Checks whether it is time to remind the person of a backup: there are several threads, and there was neither a backup nor
 * a dismissed reminder in the last `REMIND_AFTER_MS` milliseconds.
 */
export function useIsBackupDue(): boolean {
  const count = useThreads((state) => state.threads.length);
  const backedUpAt = useSettings((state) => state.backedUpAt);
  const hiddenUntil = useSettings((state) => state.backupReminderHiddenUntil);
  const now = Date.now();
  return (
    count >= REMIND_FROM_THREADS && now > hiddenUntil && (backedUpAt === null || now - backedUpAt > REMIND_AFTER_MS)
  );
}
