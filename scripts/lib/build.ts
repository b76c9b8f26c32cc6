import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild-wasm';
import { delay } from '#lib/base/delay.ts';
import { copyAboutFiles } from './about-files.ts';
import { ensureCommandLineBundle } from './command-line-bundle.ts';
import { ensurePreviewFiles } from './preview-files.ts';
import { BINARIES, ROOT, runNode } from './run.ts';
import { ensureWorkerFiles } from './worker-files.ts';

const SOURCES = ['app', 'components', 'config', 'lib', 'log', 'models', 'net', 'server', 'studio', 'public', 'types'];
const FILES = [
  'package-lock.json',
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
  'tsconfig.json',
];
const STAMP = join(ROOT, '.next', 'source-hash');

/** Creates the files that the page loads and that are not part of its own build, unless they are up to date. */
export async function ensurePublicFiles(): Promise<void> {
  copyAboutFiles();
  await ensurePreviewFiles();
  await ensureWorkerFiles();
  // Its process would stay, with hundreds of megabytes, as long as the studio runs.
  await stop();
}

/** Creates the production build unless the existing one was made from the current sources. */
export async function ensureBuild(): Promise<void> {
  await ensurePublicFiles();
  await ensureCommandLineBundle();
  const hash = hashSources();
  if (isBuilt(hash)) return;
  process.stderr.write('Building the studio (once, until its sources change)…\n');
  // A build that is ended in the middle is none.
  rmSync(STAMP, { force: true });
  const build = () => runNode(BINARIES.next, ['build'], { output: 'pipe', endsWithParent: true });
  let { code, output } = await build();
  while (code !== 0 && output.includes(OTHER_BUILD)) {
    await delay(OTHER_BUILD_MS);
    if (isBuilt(hash)) return;
    ({ code, output } = await build());
  }
  if (code !== 0) {
    // Next.js reads its notes on the last build, and fails for ever if that was ended while it wrote them.
    rmSync(join(ROOT, '.next', 'diagnostics'), { recursive: true, force: true });
    ({ code, output } = await build());
  }
  if (code !== 0) throw new Error(`The build failed.\n${output}`);
  writeFileSync(STAMP, hash);
}

/** The sentence with which Next.js refuses to build while another process builds, and the time until the next try. */
const OTHER_BUILD = 'Another next build process is already running';
const OTHER_BUILD_MS = 1_000;

const isBuilt = (hash: string): boolean =>
  existsSync(join(ROOT, '.next', 'BUILD_ID')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;

function hashSources(): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const full = join(ROOT, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(`${path}/${name}`);
    } else if (!/\.test\.tsx?$|\/test\//.test(path))
      hash.update(path).update('\0').update(readFileSync(full)).update('\0');
  };
  for (const path of [...SOURCES, ...FILES]) visit(path);
  return hash.digest('hex');
}
