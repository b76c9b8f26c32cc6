import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeEntry } from '#lib/vfs/disk/pinned-directory.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { dirname } from '#lib/vfs/paths.ts';
import { type Change, type EntryState, isSameState } from './entries.ts';
import { isKept, putLinks, putStates, stateAt } from './entry-states.ts';
import type { Journal } from './journal.ts';
import type { Folder } from './snapshot.ts';

/**
 * The result of repairing a folder (`recover`) after processes ended in the middle of commits, each of which changes several
 * files, and of commands.
 */
export interface Recovery {
  /** The ids of the calls whose commands were interrupted. */
  commands: readonly string[];
  /** The number of commits that may have been half made, and were taken back as far as possible. */
  takenBack: number;
  /** Paths whose earlier state could not be restored. */
  lost: readonly string[];
  /** Names of new folders in the root with earlier entries that could not be restored, for the person to look through. */
  kept: readonly string[];
}

/**
 * Takes back the commits (several changes of files) that were half made when their processes ended, so that each commit is in
 * the folder as a whole or not at all, and records what interrupted commands of such processes changed. Later changes by others
 * stay. Rejects with Node's errors if the journal cannot be read or written.
 */
export async function recover(journal: Journal, folder: Folder): Promise<Recovery> {
  const staged = stagedCommits(journal, folder);
  const commands: string[] = [];
  const lost: string[] = [];
  const unrestored = new Set<string>();
  let takenBack = 0;
  for (const entry of journal.unfinished()) {
    if (entry.type === 'command') {
      await journal.settleCommand(entry.id, folder);
      if (entry.call !== null) commands.push(entry.call);
      continue;
    }
    // Contents are staged before anything changes, and stay until the journal says that all of it was made.
    if (staged.has(entry.id)) {
      const missing = await takeBack(journal, folder, entry.changes);
      if (missing.length > 0) unrestored.add(entry.id);
      lost.push(...missing);
      takenBack++;
    }
    journal.settleCommit(entry.id, false);
  }
  return { commands, takenBack, lost, kept: await clearStaging(journal, folder, staged, unrestored) };
}

/** The age from which a staging folder of no known commit counts as left behind, in milliseconds. */
const UNKNOWN_AGE_MS = 60_000;

/** The ids of commits whose staging folders are still there, although their processes have ended. */
function stagedCommits(journal: Journal, { root, storage }: Folder): Set<string> {
  const place = join(root, storage.staging);
  const staged = new Set<string>();
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const stat = lstatSync(join(place, name), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) continue;
    const isInUse = journal.isInUse(name) ?? Date.now() - stat.mtimeMs < UNKNOWN_AGE_MS;
    if (!isInUse) staged.add(name);
  }
  return staged;
}

/**
 * Restores what a half-made commit has changed already, unless others have changed it since. Returns the paths for which that
 * is not possible.
 */
async function takeBack(journal: Journal, folder: Folder, changes: readonly Change[]): Promise<string[]> {
  const { files, root } = folder;
  const lost: string[] = [];
  // Folders before what is in them; what was created is removed in the opposite order.
  const sorted = changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const created = sorted.filter(({ before }) => before === null).reverse();
  for (const { path, before, after } of [...created, ...sorted.filter((change) => change.before !== null)]) {
    try {
      const now = await stateAt(folder, files, path);
      if (isSameState(now, before)) continue;
      // Something that is neither was put there since, by others; and a folder that is gone was removed by them.
      if ((now !== null && !isSameState(now, after)) || !(await isFolder(folder, dirname(path)))) continue;
      if (!isKept(before, journal.contents)) {
        lost.push(path);
        continue;
      }
      const states = new Map<string, EntryState | null>([[path, before]]);
      await files.transaction({ type: 'person' }, (tx) => putStates(tx, states, journal.contents));
      putLinks(root, states);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      lost.push(path);
    }
  }
  return lost;
}

async function isFolder({ files }: Folder, path: string): Promise<boolean> {
  return files.lstat(path).then(
    ({ type }) => type === 'directory',
    () => false,
  );
}

/**
 * Deletes the staging folders of these commits. Those with entries that could not be restored become folders in the root
 * instead, for the person; returns their names.
 */
async function clearStaging(
  journal: Journal,
  { root, storage }: Folder,
  staged: ReadonlySet<string>,
  unrestored: ReadonlySet<string>,
): Promise<string[]> {
  const ends = journal.ends();
  const kept: string[] = [];
  for (const commit of staged) {
    const place = join(root, storage.staging, commit);
    const hasOld = readdirSync(place).some((entry) => entry.startsWith('old-'));
    // A commit that failed leaves its folder only if it could not be taken back.
    const isNeeded = unrestored.has(commit) || (hasOld && ends.get(commit) === undefined);
    if (isNeeded && hasOld) {
      const other = `roundtrip-lost-${randomUUID().slice(0, 8)}`;
      renameSync(place, join(root, other));
      kept.push(other);
    } else await removeEntry(root, storage.staging, commit);
  }
  // Others may be using it.
  if (staged.size > 0) await rmdir(join(root, storage.staging)).catch(() => undefined);
  return kept;
}
