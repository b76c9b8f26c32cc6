import { download } from '#components/runtime/download.ts';
import type { Studio } from '#components/runtime/studio.ts';

/** Saves a backup to the user's computer and records the time. */
export async function saveBackup(studio: Studio): Promise<void> {
  const { createBackup } = await import('#components/runtime/backup.ts');
  const backup = await createBackup(studio);
  const now = new Date();
  download(backup, `roundtrip-studio-${now.toISOString().slice(0, 10)}.zip`);
  await studio.settings.change({ backedUpAt: now.getTime() });
}
