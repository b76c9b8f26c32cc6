// Plants faults that were once fixed, one at a time, in a copy of the project, and finds out whether the tests catch them:
// the tests that import what has changed first, then all of `npm test`, then the long suites that are due. Stops at the
// first failure. What was found out is kept, so a run that is stopped goes on where it was; `--again` begins anew, and
// `--quick` leaves those that neither related nor likely tests catch to a later run. With numbers or commits as
// arguments, only those faults.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { git } from './lib/changed-files.ts';
import { ROOT } from './lib/run.ts';
import { copyProject, type ProjectCopy } from './planted-faults/copy.ts';
import { FAULTS, type Fault, plant } from './planted-faults/faults.ts';
import { catchFault, type Outcome } from './planted-faults/steps.ts';

const OUTCOMES_FILE = join(ROOT, '.cache', 'planted-faults.json');

/** What must be caught by `npm test` alone, and together with the long suites. */
const REQUIRED = { daily: 34, all: 38 };

const { values, positionals } = parseArgs({
  options: { again: { type: 'boolean' }, quick: { type: 'boolean' } },
  allowPositionals: true,
});
const chosen = FAULTS.filter(
  ({ commit }, index) =>
    positionals.length === 0 || positionals.includes(String(index + 1)) || positionals.includes(commit),
);
if (chosen.length === 0) {
  process.stderr.write(`There is no such fault. They have the numbers 1 to ${FAULTS.length}, and commits.\n`);
  process.exit(2);
}
const isQuick = values.quick === true;
const [head = ''] = git('rev-parse', 'HEAD');
const outcomes = values.again === true ? {} : readOutcomes();
const copy = copyProject();
try {
  for (const fault of chosen) {
    const known = outcomes[fault.commit];
    const outcome = known?.at === head ? known : { ...(await tryFault(copy, fault)), at: head };
    print(fault, outcome);
    if (outcome.caughtBy === undefined && isQuick) continue;
    outcomes[fault.commit] = outcome;
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    writeFileSync(OUTCOMES_FILE, JSON.stringify(outcomes, null, 2));
  }
} finally {
  copy.remove();
}
const found = chosen.map(({ commit }) => outcomes[commit]?.caughtBy);
const daily = found.filter((by) => by?.kind === 'daily').length;
const all = found.filter((by) => by !== undefined).length;
console.log(`\nOf ${chosen.length} faults, npm test catches ${daily}, and ${all} together with the long suites.`);
if (chosen.length === FAULTS.length && !isQuick) {
  console.log(`Required: ${REQUIRED.daily} and ${REQUIRED.all}.`);
  if (daily < REQUIRED.daily || all < REQUIRED.all) process.exitCode = 1;
}

async function tryFault(project: ProjectCopy, fault: Fault): Promise<Outcome> {
  const planted = plant(project.folder, fault);
  try {
    return await catchFault(project, planted.files, { isQuick, tests: fault.tests ?? [] });
  } finally {
    planted.undo();
  }
}

function print({ commit, fault }: Fault, outcome: Outcome | undefined): void {
  const by = outcome?.caughtBy;
  const seconds = outcome?.seconds.toFixed(0).padStart(5);
  console.log(
    `${commit} ${seconds} s  ${by === undefined ? (isQuick ? 'not caught yet' : 'NOT CAUGHT') : `${by.step}: ${by.detail}`}  (${fault})`,
  );
}

function readOutcomes(): Record<string, Outcome & { at: string }> {
  return existsSync(OUTCOMES_FILE) ? JSON.parse(readFileSync(OUTCOMES_FILE, 'utf8')) : {};
}
