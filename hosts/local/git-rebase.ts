import { lstatSync, readFileSync, writeFileSync } from 'node:fs';

/** The folder in a git directory (`.git`) in which git keeps a rebase that has stopped. */
export const REBASE = 'rebase-merge';
/** The file in `REBASE` with the steps that git would take when the rebase goes on. */
const STEPS = 'git-rebase-todo';
/** The file in `REBASE` with the name of the merge strategy. */
const STRATEGY = 'strategy';

/** The folder in a git directory (`.git`) in which git keeps a cherry-pick or a revert that has stopped. */
export const SEQUENCER = 'sequencer';
/** The file in `SEQUENCER` with the options of the cherry-pick or the revert. */
const OPTIONS = 'opts';

/** Git's own strategies. Any other name is that of a program. */
const STRATEGIES: ReadonlySet<string> = new Set(['', 'octopus', 'ort', 'ours', 'recursive', 'resolve', 'subtree']);

/** Matches a step of a rebase that runs a program. */
const RUNS = /^[ \t]*(x|exec)(\s|$)/;

/** Returns the path of an entry of the folder in which git keeps a rebase or a cherry-pick. */
type Address = (name: string) => string;

/**
 * Removes the options of a stopped cherry-pick or revert, if they name a program as its strategy. `at`: returns the path of
 * an entry in the folder `SEQUENCER`. `takeAway`: moves an entry out of the folder. Returns the names of the removed
 * entries.
 */
export function removeForeignStrategy(at: Address, takeAway: (place: string, name: string) => void): string[] {
  if (!isThere(at(OPTIONS))) return [];
  const named = (fileAt(at(OPTIONS)) ?? 'strategy = ?').matchAll(/^\s*strategy\s*=\s*"?([^"\n]*?)"?\s*$/gim);
  if ([...named].every(([, name = '']) => STRATEGIES.has(name))) return [];
  takeAway(at(OPTIONS), OPTIONS);
  return [OPTIONS];
}

/**
 * Returns the steps of a stopped rebase that run programs, each once. `at`: returns the path of an entry in the folder
 * `REBASE`.
 */
export function runningSteps(at: Address): string[] {
  const text = fileAt(at(STEPS)) ?? '';
  return [...new Set(text.split('\n').filter((line) => RUNS.test(line)))];
}

/**
 * Removes what `git rebase --continue` would run, except for the steps in `known`. `at`: returns the path of an entry in the
 * folder `REBASE`. `takeAway`: moves an entry out of the folder. Returns the names of the entries from which something was
 * removed.
 */
export function removeRunningSteps(
  at: Address,
  known: readonly string[],
  takeAway: (place: string, name: string) => void,
): string[] {
  const changed: string[] = [];
  const strategy = fileAt(at(STRATEGY));
  if (isThere(at(STRATEGY)) && !STRATEGIES.has(strategy?.trim() ?? '-')) {
    takeAway(at(STRATEGY), STRATEGY);
    changed.push(STRATEGY);
  }
  if (!isThere(at(STEPS))) return changed;
  const lines = fileAt(at(STEPS))?.split('\n');
  const kept = lines?.filter((line) => !RUNS.test(line) || known.includes(line));
  if (lines !== undefined && kept?.length === lines.length) return changed;
  takeAway(at(STEPS), STEPS);
  // A link is not read.
  if (kept !== undefined) writeFileSync(at(STEPS), kept.join('\n'), { flag: 'wx' });
  return [...changed, STEPS];
}

const isThere = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false }) !== undefined;

/** The text of a file; undefined if there is no file, or only a link to one. */
const fileAt = (place: string): string | undefined =>
  lstatSync(place, { throwIfNoEntry: false })?.isFile() ? readFileSync(place, 'utf8') : undefined;
