import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/** How often each side is run. */
const ROUNDS = 5;

/** How much slower this commit may be, as a ratio of medians. */
const RATIO_MAX = 1.15;

/** What is compared, and where a benchmark's output says it, in milliseconds. */
const FIGURES: Readonly<Record<string, readonly { name: string; pattern: RegExp }[]>> = {
  loop: [
    { name: 'our route adds to the first token', pattern: /our route adds +([\d.]+) ms/ },
    { name: 'last byte of a call to the next model request', pattern: /^ +median ([\d.]+) ms/m },
  ],
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Runs a benchmark in this checkout and in one of another commit, in turn, so that whatever else the machine does meets
 * both. Returns the exit code: 1 if a ratio is above the limit, or if there is nothing to compare.
 */
export async function compareWith(bench: string, commit: string | undefined): Promise<number> {
  const figures = FIGURES[bench];
  if (figures === undefined || commit === undefined) {
    process.stderr.write(`Name a commit, and one of these benchmarks: ${Object.keys(FIGURES).join(', ')}.\n`);
    return 1;
  }
  const other = mkdtempSync(join(tmpdir(), 'against-'));
  try {
    execFileSync('git', ['worktree', 'add', '--detach', '--force', other, commit], { cwd: ROOT, stdio: 'inherit' });
    install(other);
    const sides = [other, ROOT];
    const results = sides.map(() => figures.map((): number[] => []));
    // The first run builds the other commit, and is not counted.
    run(other, bench);
    for (let round = 0; round < ROUNDS; round++)
      for (const [side, folder] of sides.entries()) {
        const output = run(folder, bench);
        for (const [index, { name, pattern }] of figures.entries()) {
          const value = Number(pattern.exec(output)?.[1]);
          if (Number.isNaN(value)) throw new Error(`The benchmark does not say “${name}”:\n${output}`);
          results[side]?.[index]?.push(value);
        }
      }
    let isMet = true;
    for (const [index, { name }] of figures.entries()) {
      const [before = [], now = []] = results.map((side) => side[index] ?? []);
      const ratio = median(now) / median(before);
      isMet &&= ratio <= RATIO_MAX;
      console.log(`${name}, ${ROUNDS} rounds each, in turn`);
      console.log(`  ${commit}  median ${median(before).toFixed(1)} ms  (${before.join(', ')})`);
      console.log(`  here     median ${median(now).toFixed(1)} ms  (${now.join(', ')})`);
      console.log(`  ratio ${ratio.toFixed(2)}; limit ${RATIO_MAX}: ${ratio <= RATIO_MAX ? 'met' : 'MISSED'}`);
    }
    return isMet ? 0 : 1;
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: ROOT });
    rmSync(other, { recursive: true, force: true });
  }
}

/** Gives a checkout its packages: ours if it names the same, otherwise its own. */
function install(folder: string): void {
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(ROOT))
    // Not a link: the bundler refuses one.
    cpSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}

function run(folder: string, bench: string): string {
  const child = spawnSync(process.execPath, [join('scripts', 'bench.ts'), bench], { cwd: folder, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`The benchmark failed in ${folder}:\n${child.stdout}${child.stderr}`);
  return child.stdout;
}
