// Plants faults that were once fixed, one at a time, in a copy of the project, and finds out whether the tests catch them:
// the tests that import what has changed first, then all of `npm test`, then the long suites that are due. Stops at the
// first failure, and sees that the same step passes without the fault. What was found out at a commit is kept, so a run
// that is stopped goes on where it was; `--again` begins again, and `--quick` leaves those that neither related nor likely
// tests catch to a later run. With numbers or commits as arguments, only those faults.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { git, uncommittedFiles } from './lib/changed-files.ts';
import { ROOT } from './lib/run.ts';
import { copyProject, type ProjectCopy } from './planted-faults/copy.ts';
import { FAULTS, type Fault, plant } from './planted-faults/faults.ts';
import { catchFault, failureOf, type Outcome } from './planted-faults/steps.ts';

const OUTCOMES_FILE = join(ROOT, '.cache', 'planted-faults.json');

/** The minimum numbers of faults that must be caught by `npm test` alone, and together with the long suites. */
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
// Uncommitted changes have no name, so what is found out with them is not kept.
const at = uncommittedFiles().length === 0 ? git('rev-parse', 'HEAD')[0] : undefined;
const outcomes = readOutcomes();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const copy = await copyProject();
try {
  for (const fault of chosen) {
    const kept = values.again === true ? undefined : outcomes[fault.commit];
    const outcome = at !== undefined && kept?.at === at ? kept : { ...(await tryFault(copy, fault)), at };
    print(fault, outcome);
    if (outcome.caughtBy === undefined && isQuick) continue;
    outcomes[fault.commit] = outcome;
    if (at === undefined) continue;
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
  const { failed, ...outcome } = await catchFault(project, planted.files, {
    isQuick,
    tests: fault.tests ?? [],
  }).finally(planted.undo);
  const other = failed && (await failureOf(project, failed));
  if (other === undefined) return outcome;
  process.stderr.write(`Without fault ${fault.commit}, “${failed?.name}” fails, too: ${other}\nMake it pass first.\n`);
  process.exit(1);
}

function print({ commit, fault }: Fault, outcome: Outcome | undefined): void {
  const by = outcome?.caughtBy;
  const seconds = outcome?.seconds.toFixed(0).padStart(5);
  console.log(
    `${commit} ${seconds} s  ${by === undefined ? (isQuick ? 'not caught yet' : 'NOT CAUGHT') : `${by.step}: ${by.detail}`}  (${fault})`,
  );
}

function readOutcomes(): Record<string, Outcome & { at?: string | undefined }> {
  return existsSync(OUTCOMES_FILE) ? JSON.parse(readFileSync(OUTCOMES_FILE, 'utf8')) : {};
}
