import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

const FOLDER = join(ROOT, 'bench/peers');
const LOCK = join(FOLDER, 'package-lock.json');
/** The lock that the installed packages are of. */
const INSTALLED = join(FOLDER, 'node_modules/.installed-lock.json');

/** Installs what only benchmarks and long suites use, unless it is there. Throws with what to do if that fails. */
export async function ensureBenchPackages(): Promise<void> {
  const lock = readFileSync(LOCK, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lock) return;
  process.stdout.write('Installing what the benchmarks compare the studio with (once)…\n');
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER, stdio: 'inherit' });
  const code = await new Promise<number>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('close', (exit) => resolve(exit ?? 1));
  });
  if (code !== 0) throw new Error('npm could not install the packages of bench/peers. Can it reach its registry?');
  writeFileSync(INSTALLED, lock);
}
