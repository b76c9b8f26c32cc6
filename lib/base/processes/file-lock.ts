import { existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isRunning, isSelf, type Owner, readOwner, self } from './owner.ts';

/** The longest wait for a lock by default, in milliseconds. */
const WAIT_MAX_MS = 5_000;
/** The pause between two tries to take a lock, in milliseconds. */
const TRY_EVERY_MS = 5;

/** The time after which a lock counts as left behind even if its process still runs, in milliseconds. */
const HELD_MAX_MS = 30_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `work`, which must be short, while it holds a lock, and returns the result. The lock is the file `place`. Blocks the
 * thread while another process, or other code in this one, holds the lock. Takes over a lock whose process has ended, or
 * that is older than `HELD_MAX_MS` (in milliseconds). Throws an error after waiting for `waitMaxMs`, and errors of `work`
 * and of the file system.
 */
export function whileLocked<T>(place: string, work: () => T, waitMaxMs: number = WAIT_MAX_MS): T {
  const until = Date.now() + waitMaxMs;
  while (!take(place)) {
    const owner = readOwner(place);
    if (isLeftBehind(place, owner)) takeAway(place, owner);
    else if (Date.now() > until) throw new Error(`${place} is held by another process. Delete it if there is none.`);
    else Atomics.wait(pause, 0, 0, TRY_EVERY_MS);
  }
  try {
    return work();
  } finally {
    const owner = readOwner(place);
    if (owner !== undefined && isSelf(owner)) rmSync(place, { force: true });
  }
}

/** Takes the lock, unless it is there. A process that is killed in between leaves no lock without an owner. */
function take(place: string): boolean {
  if (existsSync(place)) return false;
  const draft = `${place}.${self.id}`;
  writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
  try {
    linkSync(draft, place);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Not every file system has links.
    return takeDirectly(place);
  } finally {
    rmSync(draft, { force: true });
  }
}

function takeDirectly(place: string): boolean {
  try {
    writeFileSync(place, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Checks whether a lock was left behind: its process has ended, or it is older than `HELD_MAX_MS`. Only the age counts for a
 * lock without an owner: it is still being written, or its writing was interrupted.
 */
function isLeftBehind(place: string, owner: Owner | undefined): boolean {
  const heldSince = statSync(place, { throwIfNoEntry: false })?.mtimeMs;
  if (heldSince === undefined) return false;
  return Date.now() - heldSince > HELD_MAX_MS || (owner !== undefined && !isSelf(owner) && !isRunning(owner, place));
}

/** Removes a lock that `owner` left behind, unless another process has taken it meanwhile. */
function takeAway(place: string, owner: Owner | undefined): void {
  const aside = `${place}-${self.id}`;
  try {
    renameSync(place, aside);
  } catch {
    // Another process was faster.
    return;
  }
  const found = readOwner(aside);
  if (found?.id === owner?.id) rmSync(aside, { force: true });
  else renameSync(aside, place);
}
