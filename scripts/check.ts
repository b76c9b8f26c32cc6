// The fast loop: every check that needs neither a build nor a browser. `--related` runs only the unit tests that import
// what has changed, or one of the named files.
import { changedFiles } from './lib/changed-files.ts';
import { BINARIES, runNode, SOURCE_FOLDERS } from './lib/run.ts';

/** Tests that read sources and documents as text, which no import shows. */
const TESTS_OF_SOURCES = [
  'scripts/test/source.test.ts',
  'scripts/test/documents.test.ts',
  'scripts/test/layers.test.ts',
  'scripts/test/layout.test.ts',
];

const [option, ...named] = process.argv.slice(2);
if (option !== undefined && option !== '--related') {
  process.stderr.write(`There is no option ${option}. To run only some unit tests: npm run check -- --related\n`);
  process.exit(2);
}

function unitTests(): readonly string[] {
  if (option === undefined) return ['run'];
  return ['related', '--run', ...(named.length > 0 ? named : changedFiles()), ...TESTS_OF_SOURCES];
}

interface Step {
  name: string;
  script: string;
  args: readonly string[];
  help?: string;
}

const STEPS: readonly Step[] = [
  { name: 'types', script: BINARIES.tsc, args: ['--noEmit', '-p', '.'] },
  {
    name: 'lint',
    script: BINARIES.biome,
    args: ['check', '--error-on-warnings', '.'],
    help: 'npm run format fixes what can be fixed without you.',
  },
  {
    name: 'layers',
    script: BINARIES.depcruise,
    // Each error with the reason for the rule.
    args: ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...SOURCE_FOLDERS],
  },
  { name: 'dead code', script: BINARIES.knip, args: [] },
  { name: 'lock', script: 'scripts/check-lock.ts', args: [] },
];

// Most of these use one core, so they run side by side. The tests use all.
const results = await Promise.all(STEPS.map((step) => run(step, 'pipe')));
const areAllOk = results.every((isOk) => isOk);
if (!areAllOk || !(await run({ name: 'unit tests', script: BINARIES.vitest, args: unitTests() }, 'inherit')))
  process.exit(1);

/** Runs a step and says how it ended; resolves with whether it has found nothing. */
async function run({ name, script, args, help }: Step, output: 'pipe' | 'inherit'): Promise<boolean> {
  const startedAt = performance.now();
  const { code, output: text } = await runNode(script, args, { output });
  if (code === 0) process.stdout.write(`${name}: ok (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  else process.stderr.write(`${text}\n${name}: failed\n${help === undefined ? '' : `${help}\n`}`);
  return code === 0;
}
