import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { joinPath } from '#lib/vfs/paths.ts';
import { type Change, type EntryState, isSameState } from './entries.ts';
import { isKept, putLinks, putStates, stateAt } from './entry-states.ts';
import type { Journal } from './journal.ts';
import type { Folder } from './snapshot.ts';
import type { JournalTurn } from './turns.ts';

/** The result of undoing a turn. */
export interface Undone {
  turn: JournalTurn;
  /** The paths that were restored to how they were before the turn. */
  paths: readonly string[];
}

/** Thrown if a turn cannot be undone; nothing was changed then. */
export class UndoError extends Error {
  override readonly name = 'UndoError';
  /**
   * `none`: there is no such turn, or it changed nothing, or was undone before. `changed`: others changed `paths` since.
   * `unkept`: earlier contents of some of `paths` were not kept; others may have changed the rest since.
   */
  readonly reason: 'none' | 'changed' | 'unkept';
  readonly paths: readonly string[];

  constructor(reason: UndoError['reason'], message: string, paths: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.paths = paths;
  }
}

/** The overall change of a path by a turn. `isMixed`: something else changed it between two changes of the turn. */
interface NetChange extends Change {
  isMixed: boolean;
}

/**
 * Returns the overall change of each path by a turn, from before its first change to after its last. Leaves out paths that
 * are the same before and after, if their contents are known. `isMixed`: something else changed the path in between.
 */
export function netChanges({ actions }: Pick<JournalTurn, 'actions'>): NetChange[] {
  const net = new Map<string, NetChange>();
  for (const { path, before, after } of actions.flatMap(({ changes }) => changes)) {
    const known = net.get(path);
    if (known === undefined) net.set(path, { path, before, after, isMixed: false });
    else net.set(path, { ...known, after, isMixed: known.isMixed || !isSameState(known.after, before) });
  }
  return [...net.values()].filter(
    ({ before, after }) => !isSameState(before, after) || isUnknown(before) || isUnknown(after),
  );
}

/** Checks whether the content of a state is unknown. */
const isUnknown = (state: EntryState | null): boolean => state?.type === 'file' && state.hash === undefined;

/** The latest turn that has changed files and has not been undone, or only in part; undefined if there is none. */
export const latestTurn = (journal: Journal): JournalTurn | undefined =>
  journal.turns().findLast((turn) => !turn.isUndone && netChanges(turn).length > 0);

/**
 * The turn that is undone by default: the latest that changed files and was not undone. A turn of which a part was undone is
 * skipped as long as its rest cannot be undone, so that earlier turns can be. Undefined if there is none.
 */
async function nextTurn(journal: Journal, folder: Folder): Promise<JournalTurn | undefined> {
  for (const turn of journal.turns().reverse()) {
    if (turn.isUndone || netChanges(turn).length === 0) continue;
    if (!turn.isPartlyUndone || (await sorted(journal, folder, folder.files, turn)).obstacle === undefined) return turn;
  }
  return undefined;
}

/** The effects that undoing a turn would have. */
interface UndoPlan {
  turn: JournalTurn;
  /** The changes of the turn that can be undone. */
  changes: readonly Change[];
  /** The paths that the turn changed, and that are already as they were before it. */
  settled: readonly string[];
  /** The reason why the rest cannot be undone; undefined if there is none. */
  obstacle: UndoError | undefined;
  /** Folders that snapshots leave out: commands of the turn may have changed their contents, which undoing does not restore. */
  uncovered: readonly string[];
}

/**
 * Finds out what undoing a turn would do, and changes nothing. The result lists what can be undone, and `obstacle` says why the
 * rest cannot. `turnId`: by default, the latest turn that can be undone. Rejects with `UndoError` only if there is nothing to
 * undo, and with `FileSystemError` if the files cannot be read.
 */
export async function planUndo(journal: Journal, folder: Folder, turnId?: string): Promise<UndoPlan> {
  const turn = await turnOf(journal, folder, turnId);
  return { turn, ...(await sorted(journal, folder, folder.files, turn)), uncovered: uncoveredBy(turn) };
}

/**
 * Restores all paths that a turn has changed to how they were before it, as one commit. `turnId`: by default, the latest turn
 * that can be undone. `isPartial`: whether to restore only the paths that can be restored, so that the rest may be undone
 * later. Rejects with `UndoError` if there is nothing to undo or, unless `isPartial`, a path cannot be restored; and with
 * `FileSystemError` if the files cannot be read or written.
 */
export async function undoTurn(
  journal: Journal,
  folder: Folder,
  { turnId, isPartial = false }: { turnId?: string; isPartial?: boolean } = {},
): Promise<Undone> {
  const { files, root } = folder;
  const turn = await turnOf(journal, folder, turnId);
  let states = new Map<string, EntryState | null>();
  let settled: readonly string[] = [];
  const undoing = journal.whileUndoing(turn.id, () =>
    files.transaction({ type: 'person' }, async (tx) => {
      const plan = await sorted(journal, folder, tx, turn);
      if (plan.obstacle !== undefined && !isPartial) throw plan.obstacle;
      states = new Map(plan.changes.map(({ path, before }) => [path, before]));
      settled = plan.settled;
      await putStates(tx, states, journal.contents);
    }),
  );
  await undoing.catch((error: unknown) => {
    const isInTheWay = error instanceof FileSystemError && ['EEXIST', 'ENOTEMPTY'].includes(error.code);
    throw isInTheWay ? changedSince([error.path]) : error;
  });
  putLinks(root, states);
  if (states.size === 0 || settled.length > 0) journal.noteUndone(turn.id, settled);
  return { turn, paths: [...states.keys()] };
}

/** The folders that the snapshots of a turn's commands left out: `.git`, and those that git ignores. */
const uncoveredBy = ({ actions }: JournalTurn): string[] =>
  [...new Set(actions.flatMap((action) => action.uncovered ?? []))].sort();

async function turnOf(journal: Journal, folder: Folder, turnId: string | undefined): Promise<JournalTurn> {
  const turn =
    turnId === undefined
      ? await nextTurn(journal, folder)
      : journal.turns().find(({ id, isUndone }) => id === turnId && !isUndone);
  if (turn === undefined || netChanges(turn).length === 0) throw new UndoError('none', 'There is nothing to undo.');
  return turn;
}

/**
 * Sorts the changes of a turn into those that can be undone now, paths that are already as before it, and the reason why the
 * rest cannot be undone.
 */
async function sorted(
  journal: Journal,
  folder: Folder,
  files: FileSystemReader,
  turn: JournalTurn,
): Promise<Pick<UndoPlan, 'changes' | 'settled' | 'obstacle'>> {
  const all = netChanges(turn);
  const own = new Set(all.map(({ path }) => path));
  const found = { settled: [] as string[], lost: [] as string[], changed: [] as string[], possible: [] as Change[] };
  for (const change of all) {
    const { path, before, after, isMixed } = change;
    const now = await stateAt(folder, files, path).catch((error: unknown) => {
      // A link is in its place, for example, that leads out of the folder.
      if (error instanceof FileSystemError) return undefined;
      throw error;
    });
    // A directory stays if others have put something into it, unless it is to become something else again.
    const isFine =
      after?.type === 'directory' ? now?.type === 'directory' : now !== undefined && isSameState(now, after);
    const becomesOther = after?.type === 'directory' && before !== null && before.type !== 'directory';
    const others = isFine && becomesOther ? await othersIn(files, path, own) : [];
    if (now !== undefined && isSameState(now, before)) found.settled.push(path);
    else if (!isKept(before, journal.contents)) found.lost.push(path);
    else if (isMixed || !isFine) found.changed.push(path);
    else if (others.length > 0) found.changed.push(...others);
    else found.possible.push(change);
  }
  const { settled, lost, changed, possible } = found;
  const blocked = new Set([...lost, ...changed]);
  // If a file that was moved cannot be returned to its place, it is the only copy of its content.
  const needed = new Set(all.flatMap(({ path, before }) => (blocked.has(path) ? contentOf(before) : [])));
  return {
    changes: possible.filter(({ after }) => !contentOf(after).some((hash) => needed.has(hash))),
    settled,
    obstacle: lost.length > 0 ? unkept(lost, changed) : changed.length > 0 ? changedSince(changed) : undefined,
  };
}

/** Returns the hash of a file's content in a list, which is empty if there is no content or it is unknown. */
const contentOf = (state: EntryState | null): string[] =>
  state?.hash === undefined || state.size === 0 ? [] : [state.hash];

/**
 * Finds the entries of a directory that are not among `own`, the paths that the turn changed. The directory is to become a
 * file or symlink again, which they prevent.
 */
async function othersIn(files: FileSystemReader, path: string, own: ReadonlySet<string>): Promise<string[]> {
  const entries = await files.readdir(path);
  return entries.map(({ name }) => joinPath(path, name)).filter((place) => !own.has(place));
}

const LISTED = 10;

const list = (paths: readonly string[]): string =>
  paths.slice(0, LISTED).join(', ') + (paths.length > LISTED ? `, and ${paths.length - LISTED} more` : '');

const changedSince = (paths: readonly string[]): UndoError =>
  new UndoError(
    'changed',
    `Nothing was undone, because these were changed since: ${list(paths)}. Undo or save those changes first.`,
    paths,
  );

const unkept = (paths: readonly string[], changed: readonly string[]): UndoError =>
  new UndoError(
    'unkept',
    `Nothing was undone, because the earlier contents of these were too large, or too many, to keep: ${list(paths)}.${changed.length === 0 ? '' : ` Others were changed since: ${list(changed)}.`}`,
    [...paths, ...changed],
  );
