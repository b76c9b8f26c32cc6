import { openDB } from 'idb';
import type { Version } from '../file-system.ts';
import type { Snapshot } from '../snapshot.ts';
import { type EncodedTree, encodeStored } from './encoded-tree.ts';
import { commitsReturned, type LoggedCommit, readRecords } from './log-records.ts';
import { VERSION } from './open-database.ts';
import { CURRENT, type Head, type WorkspaceDatabase, type WorkspaceSchema } from './schema.ts';

/** The parts of a tree: its snapshot, and the commits since then. */
interface Stored {
  snapshot: Snapshot | undefined;
  head: Head | undefined;
  tail: LoggedCommit[];
  /** For each commit of `tail`, the commits whose removals it reverts. */
  returned: LoggedCommit[][];
}

/**
 * A workspace's tree as its database has it. `floor`: the number of the last commit that was deleted from the log; 0 if none
 * was.
 */
export interface StoredTree {
  tree: EncodedTree;
  floor: Version;
}

/**
 * Reads the snapshot of the tree, the workspace's metadata (`head`), and the commits since the snapshot, as of one moment.
 * Rejects with IndexedDB's errors.
 */
export async function readStored(db: WorkspaceDatabase): Promise<Stored> {
  const transaction = db.transaction(['snapshot', 'head', 'log']);
  const [snapshot, head] = await Promise.all([
    transaction.objectStore('snapshot').get(CURRENT),
    transaction.objectStore('head').get(CURRENT),
  ]);
  const log = transaction.objectStore('log');
  const tail = await readRecords(log, IDBKeyRange.lowerBound(snapshot?.sequence ?? 0, true));
  return { snapshot, head, tail, returned: await commitsReturned(log, tail) };
}

/**
 * Reads the commits in the log after `sequence`, which must be the last commit of its record there; for each, the commits whose
 * removals it reverts (`returned`); and the workspace's metadata (`head`), as of one moment. If `head` has another generation
 * than before, some of the commits may have been deleted. Rejects with IndexedDB's errors.
 */
export async function readSince(
  db: WorkspaceDatabase,
  sequence: Version,
): Promise<{ head: Head | undefined; commits: LoggedCommit[]; returned: LoggedCommit[][] }> {
  const transaction = db.transaction(['log', 'head']);
  const log = transaction.objectStore('log');
  const [commits, head] = await Promise.all([
    readRecords(log, IDBKeyRange.lowerBound(sequence, true)),
    transaction.objectStore('head').get(CURRENT),
  ]);
  return { head, commits, returned: await commitsReturned(log, commits) };
}

/**
 * Reads the tree of a workspace, so that it can be shown before everything else is ready. Undefined if the workspace does not
 * exist, has to be upgraded, has many commits since its last snapshot or a restore among them, or cannot be read. Creates
 * nothing.
 */
export async function readStoredTree(name: string): Promise<StoredTree | undefined> {
  let db: WorkspaceDatabase | undefined;
  try {
    db = await openDB<WorkspaceSchema>(name, undefined, {
      // It does not exist, and must not be created here.
      upgrade(_database, _old, _new, transaction) {
        transaction.done.catch(() => undefined);
        transaction.abort();
      },
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
    if (db.version !== VERSION) return undefined;
    const { snapshot, head, tail } = await readStored(db);
    const sequence = tail.at(-1)?.sequence ?? snapshot?.sequence ?? 0;
    const tree = encodeStored(sequence, snapshot, tail);
    return tree && { tree, floor: head?.floor ?? 0 };
  } catch {
    // Opening the workspace will report the error.
    return undefined;
  } finally {
    db?.close();
  }
}
