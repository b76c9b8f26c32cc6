import { openDB } from 'idb';
import { migrate } from './migration.ts';
import type { WorkspaceDatabase, WorkspaceSchema } from './schema.ts';

/**
 * Since version 2 the stores are the same, and each version has what code of the one before could not read: version 3
 * columns in its log, version 4 packs that are a `Blob` and records of several commits or in brief. Version 5 counts its
 * snapshots, so that no tab of a version that does not count them may stay open beside it.
 */
export const VERSION = 5;

/** Opens the database, makes it, or brings an older one up to this version in one transaction. */
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
    // Another tab brings a newer version: this one must let go, and says so.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      events.onClosed('upgraded');
    },
    terminated: () => events.onClosed('terminated'),
  });
}
