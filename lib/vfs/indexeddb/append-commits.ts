import { FileSystemError } from '../errors.ts';
import { isFencedOff } from '../fences.ts';
import type { Version } from '../file-system.ts';
import type { CommitOptions } from '../workspace-storage.ts';
import type { EncodedCommit } from './encoded-commit.ts';
import { foldCommits } from './log-records.ts';
import { CURRENT, type WorkspaceDatabase } from './schema.ts';
import { toStored } from './stored-bytes.ts';

/**
 * Appends commits to the log, all or none, on top of commit `sequence`. Returns false if the log already had later commits;
 * then none of the given ones counts. Rejects with FileSystemError ECANCELED if one belongs to a call that has been fenced off,
 * otherwise with IndexedDB's errors: a ConstraintError means that another tab has claimed the number.
 */
export async function appendCommits(
  db: WorkspaceDatabase,
  sequence: Version,
  commits: readonly EncodedCommit[],
  durability: CommitOptions['durability'],
): Promise<boolean> {
  const blobs = commits.flatMap((commit) => commit.blobs);
  const claims = commits.map(({ record }) => record.author).filter((author) => 'claimant' in author);
  const stores: ('log' | 'blobs' | 'head')[] = ['log'];
  if (blobs.length > 0) stores.push('blobs');
  if (claims.length > 0) stores.push('head');
  const transaction = db.transaction(stores, 'readwrite', { durability });
  let isFenced = false;
  const log = transaction.objectStore('log');
  // If history was deleted while this tab slept, its next number may be free although others are far beyond it.
  const ahead = log.getKey(IDBKeyRange.lowerBound(sequence, true));
  const requests: Promise<unknown>[] = [transaction.done, ahead];
  try {
    if (claims.length > 0) {
      // Before anything is written: if somebody has taken over a call, everything is rolled back.
      const looked = transaction.objectStore('head').get(CURRENT);
      requests.push(
        looked.then((head) => {
          isFenced = claims.some((author) => isFencedOff(head?.fences ?? [], author));
          if (isFenced) abort(transaction);
        }),
      );
    }
    for (const [key, record] of foldCommits(commits)) requests.push(log.add(record, key));
    // `add`, not `put`: contents stored earlier under a number that is free again may still be needed.
    for (const [key, data] of blobs) requests.push(transaction.objectStore('blobs').add(toStored(data), key));
    if (claims.length === 0) transaction.commit();
    await Promise.all(requests);
  } catch (cause) {
    // If a request could not even be made, the others must not be committed.
    abort(transaction);
    await Promise.allSettled(requests);
    if (isFenced) throw new FileSystemError('ECANCELED', '/');
    throw transaction.error ?? cause;
  }
  if ((await ahead) === undefined) return true;
  await removeStray(db, commits);
  return false;
}

/** Removes commits that were added below the end of the log. Nobody reads records there; they only take up space. */
async function removeStray(db: WorkspaceDatabase, commits: readonly EncodedCommit[]): Promise<void> {
  const transaction = db.transaction(['log', 'blobs'], 'readwrite');
  const [log, blobs] = [transaction.objectStore('log'), transaction.objectStore('blobs')];
  await Promise.all([
    ...commits.map(({ sequence }) => log.delete(sequence)),
    ...commits.flatMap((commit) => commit.blobs.map(([key]) => blobs.delete(key))),
    transaction.done,
  ]);
}

/** Aborts a transaction unless it has already ended. */
function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}
