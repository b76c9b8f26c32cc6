import { deleteDB } from 'idb';

/**
 * Permanently deletes a workspace's database. Tabs that have it open are notified as for an upgrade and close it.
 * Rejects with IndexedDB's errors.
 */
export function deleteDatabase(name: string): Promise<void> {
  return deleteDB(name);
}
