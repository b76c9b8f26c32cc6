// Prints where the time of the latest runs of tests went: by step, by phase, by file, and by test. `boot` measures what
// happens while the page opens.
import { measureBoot } from './timings/boot.ts';
import { KINDS, PHASES, readSteps, readTests, type TimedTest } from './timings/timings.ts';

const SLOWEST = 15;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const sum = (tests: readonly TimedTest[]): number => tests.reduce((total, { ms }) => total + ms, 0);
const row = (ms: number, text: string): void => console.log(`  ${seconds(ms).padStart(9)}  ${text}`);

if (process.argv[2] === 'boot') {
  await measureBoot();
} else {
  const steps = readSteps();
  const runs = KINDS.map((kind) => ({ kind, tests: readTests(kind) })).filter(({ tests }) => tests.length > 0);
  if (steps.length + runs.length === 0) {
    process.stderr.write('No run was recorded yet. Run npm test, or one of its parts, first.\n');
    process.exit(1);
  }
  if (steps.length > 0) {
    console.log('The steps of npm test');
    for (const { name, ms } of steps) row(ms, name);
  }
  for (const { kind, tests } of runs) printRun(kind, tests);
}

function printRun(kind: string, tests: readonly TimedTest[]): void {
  console.log(`\n${kind}: ${tests.length} entries, ${seconds(sum(tests))} in all workers together`);
  for (const phase of PHASES) {
    const ms = tests.reduce((total, { phases }) => total + (phases[phase] ?? 0), 0);
    if (ms > 0) row(ms, phase);
  }
  console.log(' slowest files');
  const files = Map.groupBy(tests, ({ file }) => file);
  for (const [file, of] of [...files].toSorted(([, a], [, b]) => sum(b) - sum(a)).slice(0, SLOWEST))
    row(sum(of), `${file} (${of.length})`);
  console.log(' slowest tests');
  for (const { ms, file, title } of [...tests].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    row(ms, `${file} › ${title}`);
}
