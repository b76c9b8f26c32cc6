import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/** How often each side is run. */
const ROUNDS = 5;

/** A figure that a benchmark prints, in milliseconds unless its name says otherwise. */
interface Figure {
  name: string;
  /** Its first group is the figure. */
  pattern: RegExp;
}

interface Comparison {
  /** What the benchmark is called with. */
  args: readonly string[];
  figures: readonly Figure[];
  /** How much larger this commit's figures may be, as a ratio of medians. */
  ratioMax: number;
}

/** A line of the table that the benchmark of threads prints under this label. Its first figure is the studio's. */
const threadFigure = (label: string, rows: string): Figure => ({
  name: `${label} (${rows})`,
  pattern: new RegExp(`^${label}.*\\n(?: .*\\n)*?  ${rows} +<?([\\d.,]+) `, 'm'),
});

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  loop: {
    args: [],
    figures: [
      { name: 'our route adds to the first token', pattern: /our route adds +([\d.]+) ms/ },
      { name: 'last byte of a call to the next model request', pattern: /^ +median ([\d.]+) ms/m },
    ],
    ratioMax: 1.15,
  },
  thread: {
    // One round each time, because whole runs are repeated.
    args: ['1'],
    figures: [
      ...['300 rows', '1,000 rows'].flatMap((rows) => [
        threadFigure('opening: until the last row is painted', rows),
        threadFigure('heap, MB', rows),
        threadFigure('streaming: key to paint, median', rows),
      ]),
      { name: 'switching between two threads', pattern: /^switching between .*: studio ([\d.]+) ms/m },
    ],
    ratioMax: 1.1,
  },
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Runs a benchmark in this checkout and in one of another commit, in turn, so that whatever else the machine does meets
 * both. Returns the exit code: 1 if a ratio is above the limit, or if there is nothing to compare.
 */
export async function compareWith(bench: string, commit: string | undefined): Promise<number> {
  const comparison = COMPARISONS[bench];
  if (comparison === undefined || commit === undefined) {
    process.stderr.write(`Name a commit, and one of these benchmarks: ${Object.keys(COMPARISONS).join(', ')}.\n`);
    return 1;
  }
  const { args, figures, ratioMax } = comparison;
  const other = mkdtempSync(join(tmpdir(), 'against-'));
  try {
    execFileSync('git', ['worktree', 'add', '--detach', '--force', other, commit], { cwd: ROOT, stdio: 'inherit' });
    install(other);
    const sides = [other, ROOT];
    const results = sides.map(() => figures.map((): number[] => []));
    // The first run builds the other commit, and is not counted.
    run(other, bench, args);
    for (let round = 0; round < ROUNDS; round++)
      for (const [side, folder] of sides.entries()) {
        const output = run(folder, bench, args);
        for (const [index, { name, pattern }] of figures.entries()) {
          const value = Number(pattern.exec(output)?.[1]?.replaceAll(',', ''));
          if (Number.isNaN(value)) throw new Error(`The benchmark does not say “${name}”:\n${output}`);
          results[side]?.[index]?.push(value);
        }
      }
    let isMet = true;
    for (const [index, { name }] of figures.entries()) {
      const [before = [], now = []] = results.map((side) => side[index] ?? []);
      const ratio = median(now) / median(before);
      isMet &&= ratio <= ratioMax;
      console.log(`${name}, ${ROUNDS} rounds each, in turn`);
      console.log(`  ${commit}  median ${median(before).toFixed(1)}  (${before.join(', ')})`);
      console.log(`  here     median ${median(now).toFixed(1)}  (${now.join(', ')})`);
      console.log(`  ratio ${ratio.toFixed(2)}; limit ${ratioMax}: ${ratio <= ratioMax ? 'met' : 'MISSED'}`);
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

function run(folder: string, bench: string, args: readonly string[]): string {
  const command = [join('scripts', 'bench.ts'), bench, ...args];
  const child = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`The benchmark failed in ${folder}:\n${child.stdout}${child.stderr}`);
  return child.stdout;
}
