import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild-wasm';
import { MCP_WORKER_FILE } from '#lib/mcp/mcp-client.ts';
import { ROOT } from './run.ts';

const FILE = join(ROOT, 'public', MCP_WORKER_FILE);
const STAMP = `${FILE}.made-of`;
/** What the worker is made of, besides packages. */
const FOLDERS = ['lib/api', 'lib/base', 'lib/mcp', 'lib/tools/core'];

/**
 * Builds the worker of connections to tool servers, unless it is up to date. It is a file of its own: in the page's build,
 * it would share code with the page, and make the first visit larger.
 */
export async function ensureWorkerFiles(): Promise<void> {
  const stamp = hashInputs();
  if (existsSync(FILE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  const folder = join(FILE, '..');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(ROOT, 'lib/mcp/mcp-worker.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    outfile: FILE,
    logLevel: 'error',
  });
  writeFileSync(STAMP, stamp);
}

function hashInputs(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  hash.update(readFileSync(import.meta.filename));
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/(?<!\.test)\.ts$/.test(name)) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
  return hash.digest('hex');
}
