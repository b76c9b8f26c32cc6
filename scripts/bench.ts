// Runs a benchmark by name: npm run bench -- loop
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/build.ts';
import { ROOT, runNode } from './lib/run.ts';

const [name = '', ...args] = process.argv.slice(2);
const folder = join(ROOT, 'bench');
if (!existsSync(join(folder, `${name}.bench.ts`))) {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.replace('.bench.ts', ''));
  process.stderr.write(`Which benchmark? There are: ${names.join(', ')}. For instance: npm run bench -- ${names[0]}\n`);
  process.exit(1);
}
await ensureBuild();
process.exit((await runNode(`bench/${name}.bench.ts`, args)).code);
