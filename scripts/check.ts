// The fast loop: every check that needs neither a build nor a browser. `--related <files>` runs only the unit tests that
// import one of these files.
import { BINARIES, runNode, SOURCE_FOLDERS } from './lib/run.ts';

const [option, ...files] = process.argv.slice(2);
const unitTests = option === '--related' ? ['related', '--run', ...files] : ['run'];

const STEPS: readonly { name: string; script: string; args: readonly string[] }[] = [
  { name: 'types', script: BINARIES.tsc, args: ['--noEmit', '-p', '.'] },
  { name: 'lint', script: BINARIES.biome, args: ['check', '--error-on-warnings', '.'] },
  { name: 'layers', script: BINARIES.depcruise, args: ['--config', '.dependency-cruiser.mjs', ...SOURCE_FOLDERS] },
  { name: 'dead code', script: BINARIES.knip, args: [] },
  { name: 'lock', script: 'scripts/check-lock.ts', args: [] },
  { name: 'unit tests', script: BINARIES.vitest, args: unitTests },
];

for (const { name, script, args } of STEPS) {
  const startedAt = performance.now();
  const isLast = name === 'unit tests';
  const { code, output } = await runNode(script, args, { output: isLast ? 'inherit' : 'pipe' });
  if (code !== 0) {
    process.stderr.write(`${output}\n${name}: failed\n`);
    process.exit(1);
  }
  process.stdout.write(`${name}: ok (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
}
