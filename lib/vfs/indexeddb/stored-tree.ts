import { openDB } from 'idb';
import type { Version } from '../file-system.ts';
import type { Snapshot } from '../snapshot.ts';
import { type EncodedTree, encodeStored } from './encoded-tree.ts';
import { commitsReturned, type LoggedCommit, readRecords } from './log-records.ts';
import { VERSION } from './open-database.ts';
import { CURRENT, type Head, type WorkspaceDatabase, type WorkspaceSchema } from './schema.ts';

/** What makes the tree: the snapshot and the commits since then, each with those that it refers to. */
interface Stored {
  snapshot: Snapshot | undefined;
  head: Head | undefined;
  tail: LoggedCommit[];
  returned: LoggedCommit[][];
}

/** A tree as it is stored, and where its log begins. */
export interface StoredTree {
  tree: EncodedTree;
  floor: Version;
}

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
 * The tree of a workspace that is there and only has to be read, for whoever wants to show it before all else is ready;
 * undefined of any other.
 */
export async function readStoredTree(name: string): Promise<StoredTree | undefined> {
  let db: WorkspaceDatabase | undefined;
  try {
    db = await openDB<WorkspaceSchema>(name, undefined, {
      // It is not there, and must not be made here.
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
    // Whoever opens the workspace says what is wrong with it.
    return undefined;
  } finally {
    db?.close();
  }
}
