import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { git } from '#scripts/lib/changed-files.ts';
import { ROOT } from '#scripts/lib/run.ts';

/** Another commit of the project, with its packages. */
export interface OtherCommit {
  /** Its full name. */
  commit: string;
  /** The folder with its files. */
  folder: string;
}

const KEPT_IN = join(ROOT, '.cache', 'against');

/** The number of commits that stay prepared: building one takes a minute or two. */
const KEPT_MAX = 2;

/** Prepares a commit: its files, its packages and, if `isBuilt`, its production build. Throws if there is no such commit. */
export function prepareCommit(name: string, { isBuilt }: { isBuilt: boolean }): OtherCommit {
  const [commit = ''] = git('rev-parse', '--verify', `${name}^{commit}`);
  const folder = join(KEPT_IN, commit);
  if (!existsSync(KEPT_IN)) mkdirSync(KEPT_IN, { recursive: true });
  if (!existsSync(folder)) forgetOldest();
  once(folder, 'files', () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1_000_000_000 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  });
  // The benchmark itself is the same for both.
  cpSync(join(ROOT, 'bench'), join(folder, 'bench'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  once(folder, 'packages', () => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    install(folder);
  });
  if (isBuilt)
    once(folder, 'build', () => {
      rmSync(join(folder, '.next'), { recursive: true, force: true });
      execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    });
  // The one that was used last is forgotten last.
  utimesSync(folder, new Date(), new Date());
  return { commit, folder };
}

/** Does a part of the preparation, unless it was done before, to its end. */
function once(folder: string, part: string, prepare: () => void): void {
  const mark = join(folder, `.prepared-${part}`);
  if (existsSync(mark)) return;
  prepare();
  writeFileSync(mark, '');
}

/** Gives a checkout its packages: ours if it names the same, otherwise its own. */
function install(folder: string): void {
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(ROOT)) linkPackages(folder);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A link to the folder would do, but the bundler refuses one. So each file is one, where that is possible. */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  const { status } = spawnSync('cp', ['-R', '-l', from, to], { stdio: 'ignore' });
  if (status !== 0) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function forgetOldest(): void {
  if (!existsSync(KEPT_IN)) return;
  const kept = readdirSync(KEPT_IN)
    .map((name) => join(KEPT_IN, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const folder of kept.slice(KEPT_MAX - 1)) rmSync(folder, { recursive: true, force: true });
}
