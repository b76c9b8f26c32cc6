import type { Change, JournalEntry } from './entries.ts';

/** A commit or command, and what it has changed. */
export interface Deed {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  turn: string | null;
  call: string | null;
  changes: Change[];
  /** Of a command: folders of whose content nothing is known; of all commands of a turn together. */
  uncovered?: readonly string[];
  /** The turn that it undoes. */
  undoes?: string | undefined;
}

/** A turn, and the deeds in it. */
export interface JournalTurn {
  id: string;
  at: number;
  /** The beginning of its question. */
  prompt: string;
  deeds: readonly Deed[];
  isUndone: boolean;
  /** Whether some of it was undone, and the rest could not be. */
  isPartlyUndone: boolean;
}

/** The turns in entries, oldest first, with what was done in them and has not been undone. */
export function turnsOf({
  entries,
  deeds,
}: {
  entries: readonly JournalEntry[];
  deeds: readonly Deed[];
}): JournalTurn[] {
  const turns = new Map<string, JournalTurn & { deeds: Deed[] }>();
  for (const entry of entries)
    if (entry.type === 'turn' && !turns.has(entry.id)) {
      const { id, at, prompt } = entry;
      turns.set(id, { id, at, prompt, deeds: [], isUndone: false, isPartlyUndone: false });
    }
  for (const deed of deeds) {
    turns.get(deed.turn ?? '')?.deeds.push(deed);
    const undone = turns.get(deed.undoes ?? '');
    // A turn that goes on after it was undone has only what was not undone, and what it does from then on.
    if (undone !== undefined)
      turns.set(undone.id, { ...undone, deeds: withoutPaths(undone.deeds, deed.changes), isUndone: true });
  }
  return [...turns.values()].map((turn) => ({
    ...turn,
    isUndone: turn.isUndone && turn.deeds.length === 0,
    isPartlyUndone: turn.isUndone && turn.deeds.length > 0,
  }));
}

/** Returns deeds without their changes to the paths of some changes; deeds without other changes are left out. */
function withoutPaths(deeds: readonly Deed[], changes: readonly Change[]): Deed[] {
  const paths = new Set(changes.map(({ path }) => path));
  return deeds
    .map((deed) => ({ ...deed, changes: deed.changes.filter(({ path }) => !paths.has(path)) }))
    .filter((deed) => deed.changes.length > 0);
}
