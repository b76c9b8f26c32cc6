import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild-wasm';
import { MCP_WORKER_FILE } from '#lib/mcp/mcp-client.ts';
import { REST_WORKER_FILE } from '#lib/rest/rest-client.ts';
import { ROOT } from './run.ts';

/** The workers, by where they are served. */
const WORKERS: ReadonlyMap<string, string> = new Map([
  [MCP_WORKER_FILE, 'lib/mcp/mcp-worker.ts'],
  [REST_WORKER_FILE, 'lib/rest/rest-worker.ts'],
]);
const FILES = [...WORKERS.keys()].map((file) => join(ROOT, 'public', file));
const FOLDER = join(ROOT, 'public', 'workers');
const STAMP = join(FOLDER, 'made-of');
/** What the workers are made of, besides packages. */
const FOLDERS = ['lib/api', 'lib/base', 'lib/mcp', 'lib/rest', 'lib/tools', 'lib/yaml'];

/**
 * Builds the workers that call tool servers and HTTP APIs, unless they are up to date. Each is a file of its own: in the
 * page's build, they would share code with the page, and make the first visit larger.
 */
export async function ensureWorkerFiles(): Promise<void> {
  const stamp = hashInputs();
  if (FILES.every((file) => existsSync(file)) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, entry] of WORKERS)
    await build({
      entryPoints: [join(ROOT, entry)],
      bundle: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      outfile: join(ROOT, 'public', file),
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
