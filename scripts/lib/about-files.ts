import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

const FOLDER = join(ROOT, 'public', 'about');

/** Puts the texts that the settings link to where the studio serves files, as plain text. */
export function copyAboutFiles(): void {
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE.txt'));
  for (const name of ['CHANGELOG', 'README']) copyFileSync(join(ROOT, `${name}.md`), join(FOLDER, `${name}.txt`));
}
