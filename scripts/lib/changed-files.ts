import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/** Returns the output of a git command, by line. Throws with git's message if it fails. */
export const git = (...args: readonly string[]): string[] =>
  execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\n')
    .filter((line) => line !== '');

/** Checks whether a commit is in this repository: a shallow clone lacks older ones. */
export function isKnownCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Files that differ from the latest commit, new ones included. */
export const uncommittedFiles = (): string[] => [
  ...new Set([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]),
];

/** Files that have changed and still exist: since the latest commit or, if nothing has, in it. */
export function changedFiles(): string[] {
  const uncommitted = uncommittedFiles();
  const changed = uncommitted.length > 0 ? uncommitted : git('show', '--name-only', '--format=', 'HEAD');
  return changed.filter((file) => existsSync(join(ROOT, file)));
}
