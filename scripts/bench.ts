// Runs a benchmark by name: npm run bench -- loop. `all` runs every one; `--short` only shows that they still run.
// `--against <commit>` compares loop, parser, thread, or vfs with another commit, in turn in the same run.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBenchPackages } from './lib/bench-packages.ts';
import { ensureBuild } from './lib/build.ts';
import { ROOT, runNode } from './lib/run.ts';

const [name = '', ...args] = process.argv.slice(2);
const names = readdirSync(join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const chosen = name === 'all' ? names : names.filter((known) => known === name);
if (chosen.length === 0) {
  process.stderr.write(
    `Which benchmark? Choose one of these, or all: ${names.join(', ')}. For example: npm run bench -- ${names[0]}\n`,
  );
  process.exit(1);
}
// Building takes minutes, and these do without.
if (chosen.some((one) => !['dialects', 'local', 'models', 'parser'].includes(one))) await ensureBuild();
if (args.includes('--against')) {
  const commit = args[args.indexOf('--against') + 1] ?? '';
  process.exit((await runNode('bench/against/run.ts', [name, commit])).code);
}
if (chosen.some((one) => ['models', 'parser', 'vfs'].includes(one))) await ensureBenchPackages();
for (const one of chosen) {
  if (name === 'all')
    console.log(`\n${one}${args.includes('--short') ? ' (short form: the figures are meaningless)' : ''}`);
  const { code } = await runNode(`bench/${one}.bench.ts`, args);
  if (code !== 0) {
    process.stderr.write(`The benchmark ${one} failed.\n`);
    process.exit(code);
  }
}
