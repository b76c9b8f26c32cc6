import type { Change, JournalEntry } from './entries.ts';

/**
 * A commit (changes of files that were made together) or a command that has ended, and what it changed. `turn` and `call` are
 * ids; null if it belongs to none.
 */
export interface JournalAction {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  turn: string | null;
  call: string | null;
  changes: Change[];
  /**
   * For a command: folders that its snapshots left out, so that changes in them are not known; each is listed only once in a
   * turn.
   */
  uncovered?: readonly string[];
  /** The id of the turn that the commit undoes. */
  undoes?: string | undefined;
}

/** A turn, with its commits and commands that have not been undone. `at`: when it began, in milliseconds since the epoch. */
export interface JournalTurn {
  id: string;
  at: number;
  /** The beginning of the person's message. */
  prompt: string;
  actions: readonly JournalAction[];
  /** Whether all of it was undone. */
  isUndone: boolean;
  /** Whether some of it was undone, and some was not, because it could not be or came later. */
  isPartlyUndone: boolean;
}

/**
 * Returns the turns in the journal's entries, oldest first, each with its commits and commands (`actions`) that have not been
 * undone.
 */
export function turnsOf({
  entries,
  actions,
}: {
  entries: readonly JournalEntry[];
  actions: readonly JournalAction[];
}): JournalTurn[] {
  const turns = new Map<string, JournalTurn & { actions: JournalAction[] }>();
  for (const entry of entries)
    if (entry.type === 'turn' && !turns.has(entry.id)) {
      const { id, at, prompt } = entry;
      turns.set(id, { id, at, prompt, actions: [], isUndone: false, isPartlyUndone: false });
    }
  for (const action of actions) {
    turns.get(action.turn ?? '')?.actions.push(action);
    const undone = turns.get(action.undoes ?? '');
    // A turn that goes on after it was undone has only what was not undone, and what it does from then on.
    if (undone !== undefined)
      turns.set(undone.id, { ...undone, actions: withoutPaths(undone.actions, action.changes), isUndone: true });
  }
  return [...turns.values()].map((turn) => ({
    ...turn,
    isUndone: turn.isUndone && turn.actions.length === 0,
    isPartlyUndone: turn.isUndone && turn.actions.length > 0,
  }));
}

/**
 * Returns the actions without their changes of the paths that occur in `changes`. Deeds that have no changes left are dropped.
 */
function withoutPaths(actions: readonly JournalAction[], changes: readonly Change[]): JournalAction[] {
  const paths = new Set(changes.map(({ path }) => path));
  return actions
    .map((action) => ({ ...action, changes: action.changes.filter(({ path }) => !paths.has(path)) }))
    .filter((action) => action.changes.length > 0);
}
