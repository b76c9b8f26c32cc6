import { deleteDB } from 'idb';

/** Deletes a workspace's database for good. Whoever has it open hears of it as of an upgrade, and lets go. */
export function deleteDatabase(name: string): Promise<void> {
  return deleteDB(name);
}
