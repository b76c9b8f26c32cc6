import { openDB } from 'idb';
import { migrate } from './migration.ts';
import type { WorkspaceDatabase, WorkspaceSchema } from './schema.ts';

/**
 * The version of a workspace's database. Its stores have been the same since version 2. Each later version added something
 * that older code could not read: version 3 columns in the log, version 4 packs as `Blob`s and records that are brief or
 * have several commits. Version 5 numbers each new snapshot (`Head.generation`); no tab with an older version, which ignores
 * that number, may stay open.
 */
export const VERSION = 5;

/**
 * Opens a workspace's database, creates it, or upgrades an older one to this version in one transaction. `onBlocked` is called
 * if a tab with an older version keeps it open. `onClosed` is called if another tab closes it, by an upgrade or a deletion
 * (`upgraded`), or if the browser does (`terminated`). Rejects with IndexedDB's errors.
 */
export function openDatabase(
  name: string,
  events: { onClosed(reason: 'upgraded' | 'terminated'): void; onBlocked(): void },
): Promise<WorkspaceDatabase> {
  return openDB<WorkspaceSchema>(name, VERSION, {
    async upgrade(database, oldVersion, _, transaction) {
      if (oldVersion >= 2) return;
      const log = database.createObjectStore('log');
      log.createIndex('toolCallId', 'author.toolCallId');
      database.createObjectStore('blobs');
      database.createObjectStore('snapshot');
      database.createObjectStore('head');
      if (oldVersion !== 1) return;
      await migrate(transaction);
      for (const store of ['entries', 'contents', 'commits'] as const) database.deleteObjectStore(store);
    },
    blocked: () => events.onBlocked(),
    // Another tab is opening a newer version: this one must close the database, and says so.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      events.onClosed('upgraded');
    },
    terminated: () => events.onClosed('terminated'),
  });
}
