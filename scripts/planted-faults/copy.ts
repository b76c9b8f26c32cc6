import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../lib/build.ts';
import { git } from '../lib/changed-files.ts';
import { ROOT } from '../lib/run.ts';

/** A copy of the project, in which faults are planted. */
export interface ProjectCopy {
  folder: string;
  remove(): void;
}

/**
 * Copies the project as it is, with its packages, built files and the commits that its scripts look at. The copy goes when
 * this process ends, if it was not removed before.
 */
export async function copyProject(): Promise<ProjectCopy> {
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), 'planted-faults-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const file of [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')])
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  for (const built of ['public/preview-files', 'public/workers', 'public/about', '.next', '.git'])
    cpSync(join(ROOT, built), join(folder, built), { recursive: true });
  linkFolder('node_modules', folder);
  return { folder, remove };
}

/** Links each file of a folder, or copies them where that is not possible. */
function linkFolder(name: string, folder: string): void {
  const { status } = spawnSync('cp', ['-R', '-l', join(ROOT, name), join(folder, name)], { stdio: 'ignore' });
  if (status !== 0) cpSync(join(ROOT, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
}
