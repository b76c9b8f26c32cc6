// Bundles the command line into a folder of its own below `dist`. A bundle starts with a quarter less work than the sources do.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { BUNDLE_LIST, stateOf } from '#bin/entry-point.mjs';
import { bundledScripts } from './lib/bundled-scripts.ts';
import { ROOT } from './lib/run.ts';

/** The packages that most commands load. The others are loaded from `node_modules` when they are needed. */
const BUNDLED = [
  '@ai-sdk',
  '@modelcontextprotocol',
  'ai',
  'comlink',
  'diff',
  'eventsource-parser',
  'jsonrepair',
  'picomatch',
  'yaml',
  'zod',
];

/** Changes with the installed packages. */
const PACKAGES = 'node_modules/.package-lock.json';

/** The number of bundles that are kept, because a command that runs may still load parts of an earlier one. */
const KEPT_BUNDLES = 3;

const startedAt = Date.now();
const bundle = await rolldown({
  cwd: ROOT,
  platform: 'node',
  input: { main: 'hosts/local/main.ts' },
  external: (id) => /^[@\w]/.test(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [bundledScripts()],
});
// All in one folder, two levels below the root like `hosts/local`, so that relative paths lead to the same files.
const { output } = await bundle.generate({ entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
await bundle.close();
const chunks = output.filter((file) => file.type === 'chunk');
const hash = createHash('sha256');
for (const { fileName, code } of chunks) hash.update(fileName).update('\0').update(code).update('\0');
const folder = `dist/command-line-${hash.digest('hex').slice(0, 12)}`;
mkdirSync(join(ROOT, folder), { recursive: true });
for (const { fileName, code } of chunks) writeFileSync(join(ROOT, folder, fileName), code);
utimesSync(join(ROOT, folder), startedAt / 1000, startedAt / 1000);
const own = chunks
  .flatMap(({ moduleIds }) => moduleIds)
  .map((id) => relative(ROOT, id))
  .filter((path) => !path.includes('\0') && !path.startsWith(`node_modules${sep}`))
  .sort();
const sources = Object.fromEntries([...own, PACKAGES].map((path) => [path, stateOf(join(ROOT, path))]));
// If a source was changed meanwhile, the bundle may be older than it, and is not listed.
if (own.every((path) => statSync(join(ROOT, path)).mtimeMs < startedAt)) {
  const list = join(ROOT, BUNDLE_LIST);
  writeFileSync(`${list}.${process.pid}`, JSON.stringify({ entry: `${folder}/main.js`, sources }, undefined, 1));
  renameSync(`${list}.${process.pid}`, list);
}
const folders = readdirSync(join(ROOT, 'dist'))
  .filter((name) => name.startsWith('command-line-'))
  .map((name) => join(ROOT, 'dist', name))
  .map((path) => ({ path, changedAt: statSync(path).mtimeMs }))
  .sort((a, b) => b.changedAt - a.changedAt);
for (const { path } of folders.slice(KEPT_BUNDLES)) rmSync(path, { recursive: true, force: true });
