import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isStaging, stagingProcess } from '#lib/disk/apply-commit.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { type Change, type EntryState, isSameState } from './entries.ts';
import { isKept, putStates, stateAt } from './entry-states.ts';
import type { Journal } from './journal.ts';
import { isRunning } from './owner.ts';
import type { Folder } from './snapshot.ts';

/** What was found of processes that had ended in the middle of something. */
export interface Recovery {
  /** The calls whose commands were interrupted. */
  commands: readonly string[];
  /** Commits that were half made, and have been taken back. */
  takenBack: number;
  /** Paths that could not be brought back. What was there is in a folder whose name begins with `.roundtrip-staging`. */
  lost: readonly string[];
}

/**
 * Finishes, or takes back, what processes have left in the middle, so that each commit is in the folder as a whole or
 * not at all. `root`: the folder's real path. Rejects with `FileSystemError`, and Node's errors.
 */
export async function recover(
  journal: Journal,
  folder: Folder & { files: FileSystem },
  root: string,
): Promise<Recovery> {
  const commands: string[] = [];
  const lost: string[] = [];
  let takenBack = 0;
  for (const entry of journal.unfinished()) {
    if (entry.type === 'command') {
      await journal.settleCommand(entry.id, folder);
      if (entry.call !== null) commands.push(entry.call);
      continue;
    }
    const now = await statesNow(folder.files, entry.changes);
    const isAt = (side: 'before' | 'after') =>
      entry.changes.every((change) => isSameState(now.get(change.path) ?? null, change[side]));
    if (isAt('after')) journal.settleCommit(entry.id, true);
    else {
      if (!isAt('before')) {
        lost.push(...(await takeBack(journal, folder.files, entry.changes, now)));
        takenBack++;
      }
      journal.settleCommit(entry.id, false);
    }
  }
  if (lost.length === 0) removeStaging(root);
  return { commands, takenBack, lost };
}

async function statesNow(files: FileSystem, changes: readonly Change[]): Promise<Map<string, EntryState | null>> {
  const states = new Map<string, EntryState | null>();
  for (const { path } of changes) states.set(path, await stateAt(files, path));
  return states;
}

/** Brings back what a commit has changed already. Returns the paths for which that is not possible. */
async function takeBack(
  journal: Journal,
  files: FileSystem,
  changes: readonly Change[],
  now: ReadonlyMap<string, EntryState | null>,
): Promise<string[]> {
  const states = new Map<string, EntryState | null>();
  const lost: string[] = [];
  for (const { path, before, after } of changes) {
    const found = now.get(path) ?? null;
    if (isSameState(found, before)) continue;
    // Something that is neither was put there since, by others.
    if (found !== null && !isSameState(found, after)) continue;
    if (isKept(before, journal.contents)) states.set(path, before);
    else lost.push(path);
  }
  await files.transaction({ type: 'person' }, (tx) => putStates(tx, states, journal.contents));
  return lost;
}

function removeStaging(root: string): void {
  for (const name of readdirSync(root))
    if (isStaging(name) && !isRunning({ pid: stagingProcess(name), began: '' }))
      rmSync(join(root, name), { recursive: true, force: true });
}
