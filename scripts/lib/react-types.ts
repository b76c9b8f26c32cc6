import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

const PACKAGES = ['@types/react', '@types/react-dom', 'csstype'];

/** Three quarters of `csstype` are comments about browser support for each CSS property. */
const WITHOUT_COMMENTS = new Set(['csstype']);

/** The declarations of React and React DOM for the editor, by path, such as `/node_modules/csstype/index.d.ts`. */
export function readReactTypes(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of PACKAGES) {
    const folder = join(ROOT, 'node_modules', name);
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.d.ts'))) {
      const text = readFileSync(join(folder, file), 'utf8');
      texts[`/node_modules/${name}/${file}`] = WITHOUT_COMMENTS.has(name)
        ? text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
        : text;
    }
  }
  return texts;
}
