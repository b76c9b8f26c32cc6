import { git } from '../lib/changed-files.ts';
import { isIn } from './areas.ts';
import type { Records } from './records.ts';
import type { LongSuite } from './suites.ts';

/** A suite that is to run, and why. */
interface DueSuite<Suite> {
  suite: Suite;
  why: string;
}

type Choosable = Pick<LongSuite, 'name' | 'areas'>;

interface ChooseOptions {
  /** Only these suites; all if empty. */
  names: readonly string[];
  /** Whether those whose areas have not changed come last, the oldest first. */
  changedOnly: boolean;
  /** The files that have changed since a commit; undefined if the commit is not known here. */
  changedSince?(commit: string): readonly string[] | undefined;
}

/**
 * Orders the suites that are to run. With `changedOnly`, first those whose areas have changed since they last passed, then
 * those that passed longest ago; `notDue` names the latter.
 */
export function chooseSuites<Suite extends Choosable>(
  suites: readonly Suite[],
  records: Records,
  { names, changedOnly, changedSince = filesSince }: ChooseOptions,
): { due: DueSuite<Suite>[]; notDue: string[] } {
  const named = suites.filter(({ name }) => names.length === 0 || names.includes(name));
  if (!changedOnly) return { due: named.map((suite) => ({ suite, why: 'asked for' })), notDue: [] };
  const due: DueSuite<Suite>[] = [];
  const others: { suite: Suite; changes: number }[] = [];
  for (const suite of named) {
    const known = records.get(suite.name);
    const files = known && changedSince(known.commit);
    if (known === undefined) due.push({ suite, why: 'it has never passed' });
    else if (files === undefined) due.push({ suite, why: 'the commit at which it passed is not known here' });
    else {
      const changed = suite.areas.filter((area) => files.some((file) => isSource(file) && isIn(area, file)));
      if (changed.length > 0) due.push({ suite, why: `changed since it passed: ${changed.join(', ')}` });
      else others.push({ suite, changes: files.length });
    }
  }
  // The more files have changed since a suite passed, the longer ago that was.
  others.sort((one, other) => other.changes - one.changes);
  const rest = others.map(({ suite }) => ({ suite, why: 'one of those that passed longest ago' }));
  return { due: [...due, ...rest], notDue: others.map(({ suite }) => suite.name) };
}

/** Tests and documents of an area change nothing of what a long suite tests. */
const isSource = (file: string): boolean => !/\.test\.tsx?$|\/test\/|\.md$/.test(file);

/** The files that differ from a commit, whether committed or not. */
function filesSince(commit: string): string[] | undefined {
  try {
    return git('diff', '--name-only', commit);
  } catch {
    // A shallow clone does not have it.
    return undefined;
  }
}
