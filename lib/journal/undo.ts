import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { type Change, type EntryState, isSameState } from './entries.ts';
import { isKept, putLinks, putStates, stateAt } from './entry-states.ts';
import type { Journal, JournalTurn } from './journal.ts';
import type { Folder } from './snapshot.ts';

/** What undoing a turn has done. */
export interface Undone {
  turn: JournalTurn;
  /** The paths that are as they were before the turn. */
  paths: readonly string[];
}

/** Thrown if a turn cannot be undone; nothing was changed then. */
export class UndoError extends Error {
  override readonly name = 'UndoError';
  /** `none`: there is no such turn, or it changed nothing. `changed`: others changed `paths` since. `unkept`: what was in
   * `paths` before was not kept. */
  readonly reason: 'none' | 'changed' | 'unkept';
  readonly paths: readonly string[];

  constructor(reason: UndoError['reason'], message: string, paths: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.paths = paths;
  }
}

/** What a turn has done to a path. `isMixed`: others have changed it between two changes of the turn. */
interface NetChange extends Change {
  isMixed: boolean;
}

/** What a turn has done to each path, from before its first change to after its last. */
export function netChanges({ deeds }: Pick<JournalTurn, 'deeds'>): NetChange[] {
  const net = new Map<string, NetChange>();
  for (const { path, before, after } of deeds.flatMap(({ changes }) => changes)) {
    const known = net.get(path);
    if (known === undefined) net.set(path, { path, before, after, isMixed: false });
    else net.set(path, { ...known, after, isMixed: known.isMixed || !isSameState(known.after, before) });
  }
  return [...net.values()].filter(
    ({ before, after }) => !isSameState(before, after) || isUnknown(before) || isUnknown(after),
  );
}

/** Whether a state does not tell the content. */
const isUnknown = (state: EntryState | null): boolean => state?.type === 'file' && state.hash === undefined;

/** The latest turn that has changed files and has not been undone; undefined if there is none. */
export const latestTurn = (journal: Journal): JournalTurn | undefined =>
  journal.turns().findLast((turn) => !turn.isUndone && netChanges(turn).length > 0);

/** What undoing a turn would do. */
export interface UndoPlan {
  turn: JournalTurn;
  /** What the turn has done, and what can be undone of it. */
  changes: readonly Change[];
  /** Why the rest cannot be undone; undefined if there is none. */
  obstacle: UndoError | undefined;
}

/**
 * Finds out what undoing a turn would do; by default, the latest. Rejects with `UndoError` if there is nothing to undo, and
 * with `FileSystemError` if the files cannot be read.
 */
export async function planUndo(journal: Journal, folder: Folder, turnId?: string): Promise<UndoPlan> {
  const turn = turnOf(journal, turnId);
  return { turn, ...(await sorted(journal, folder, folder.files, turn)) };
}

/**
 * Returns all paths that a turn has changed to how they were before it, as one commit. `isPartial`: only those that can be,
 * if there are any. Rejects with `UndoError`, and with `FileSystemError` if the files cannot be read or written.
 */
export async function undoTurn(
  journal: Journal,
  folder: Folder,
  { turnId, isPartial = false }: { turnId?: string; isPartial?: boolean } = {},
): Promise<Undone> {
  const { files, root } = folder;
  const turn = turnOf(journal, turnId);
  let states = new Map<string, EntryState | null>();
  const undoing = journal.whileUndoing(turn.id, () =>
    files.transaction({ type: 'person' }, async (tx) => {
      const { changes, obstacle } = await sorted(journal, folder, tx, turn);
      if (obstacle !== undefined && (!isPartial || changes.length === 0)) throw obstacle;
      states = new Map(changes.map(({ path, before }) => [path, before]));
      await putStates(tx, states, journal.contents);
    }),
  );
  await undoing.catch((error: unknown) => {
    const isInTheWay = error instanceof FileSystemError && error.code === 'EEXIST';
    throw isInTheWay ? changedSince([error.path]) : error;
  });
  putLinks(root, states);
  return { turn, paths: [...states.keys()] };
}

function turnOf(journal: Journal, turnId: string | undefined): JournalTurn {
  const turn =
    turnId === undefined ? latestTurn(journal) : journal.turns().find(({ id, isUndone }) => id === turnId && !isUndone);
  if (turn === undefined || netChanges(turn).length === 0) throw new UndoError('none', 'There is nothing to undo.');
  return turn;
}

/** The changes of a turn that can be undone now, and why the others cannot. */
async function sorted(
  journal: Journal,
  folder: Folder,
  files: FileSystemReader,
  turn: JournalTurn,
): Promise<Pick<UndoPlan, 'changes' | 'obstacle'>> {
  const changes: Change[] = [];
  const [lost, changed]: [string[], string[]] = [[], []];
  for (const change of netChanges(turn)) {
    const { path, before, after, isMixed } = change;
    const now = await stateAt(folder, files, path);
    // A directory stays if others have put something into it.
    const isFine = after?.type === 'directory' ? now?.type === 'directory' : isSameState(now, after);
    if (!isKept(before, journal.contents)) lost.push(path);
    else if (isMixed || !isFine) changed.push(path);
    else changes.push(change);
  }
  return { changes, obstacle: lost.length > 0 ? unkept(lost) : changed.length > 0 ? changedSince(changed) : undefined };
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

const unkept = (paths: readonly string[]): UndoError =>
  new UndoError(
    'unkept',
    `Nothing was undone, because the earlier contents of these were too large to keep: ${list(paths)}.`,
    paths,
  );
