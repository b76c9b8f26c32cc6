import { download } from './page/download.ts';
import type { Studio } from './studio.ts';

/** Saves a backup to the user's computer and records the time. */
export async function saveBackup(studio: Studio): Promise<void> {
  const { createBackup } = await import('./backup.ts');
  const backup = await createBackup(studio);
  const now = new Date();
  download(backup, `roundtrip-studio-${now.toISOString().slice(0, 10)}.zip`);
  await studio.settings.change({ backedUpAt: now.getTime() });
}
