import { useSettings, useThreads } from '#components/hooks/studio-provider.tsx';

const DAY_MS = 86_400_000;
/** With fewer threads, there is little to lose. */
const REMIND_FROM_THREADS = 3;

/** How long a backup, or the wish not to be reminded of one, is good for, in milliseconds. */
export const REMIND_AFTER_MS = 14 * DAY_MS;

/** Whether it is time to remind the person of a backup. */
export function useIsBackupDue(): boolean {
  const count = useThreads((state) => state.threads.length);
  const backedUpAt = useSettings((state) => state.backedUpAt);
  const hiddenUntil = useSettings((state) => state.backupReminderHiddenUntil);
  const now = Date.now();
  return (
    count >= REMIND_FROM_THREADS && now > hiddenUntil && (backedUpAt === null || now - backedUpAt > REMIND_AFTER_MS)
  );
}
