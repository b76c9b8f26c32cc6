import { download } from './page/download.ts';
import type { Studio } from './studio.ts';

/**
 * Makes a backup of the studio, offers it to the user as a download, and records the time in the settings. Rejects like
 * `createBackup`.
 */
export async function saveBackup(studio: Studio): Promise<void> {
  const { createBackup } = await import('./backup.ts');
  const backup = await createBackup(studio);
  const now = new Date();
  download(backup, `roundtrip-studio-${now.toISOString().slice(0, 10)}.zip`);
  await studio.settings.change({ backedUpAt: now.getTime() });
}
