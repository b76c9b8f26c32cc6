import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild-wasm';
import { DOCUMENTS_WORKER_FILE } from '#lib/documents/document-reader.ts';
import { PDF_FILES, PDF_FOLDERS } from '#lib/documents/pdf/pdf-files.ts';
import { REST_WORKER_FILE } from '#lib/sources/http-api/rest-client.ts';
import { LOGIN_WORKER_FILE } from '#lib/sources/mcp/login/login-client.ts';
import { MCP_WORKER_FILE } from '#lib/sources/mcp/mcp-client.ts';
import { ROOT } from './run.ts';

/**
 * A worker that is a file of its own: in the page's build, it would share code with the page, and make the first visit
 * larger.
 */
interface WorkerFile {
  /** The file under which the studio serves it. */
  file: string;
  entry: string;
  /** The folders of its source, besides packages. */
  folders: readonly string[];
}

const WORKERS: readonly WorkerFile[] = [
  {
    file: MCP_WORKER_FILE,
    entry: 'lib/sources/mcp/mcp-worker.ts',
    folders: ['lib/wire', 'lib/base', 'lib/sources/mcp', 'lib/tools'],
  },
  {
    file: LOGIN_WORKER_FILE,
    entry: 'lib/sources/mcp/login/login-worker.ts',
    folders: ['lib/wire', 'lib/base', 'lib/sources/mcp', 'lib/tools'],
  },
  {
    file: REST_WORKER_FILE,
    entry: 'lib/sources/http-api/rest-worker.ts',
    folders: ['lib/wire', 'lib/base', 'lib/sources/mcp', 'lib/sources/http-api', 'lib/tools', 'lib/base/yaml'],
  },
  {
    file: DOCUMENTS_WORKER_FILE,
    entry: 'lib/documents/documents-worker.ts',
    folders: ['lib/base', 'lib/tools', 'lib/documents'],
  },
];

/**
 * Builds the workers that are not part of the page's build, unless they are up to date, and puts the files that reading a PDF
 * may need where the studio serves them.
 */
export async function ensureWorkerFiles(): Promise<void> {
  for (const worker of WORKERS) await ensureWorker(worker);
  copyPdfFiles();
}

/**
 * Copies files of PDF.js, unless those of the installed version are there: another process may be reading them, to find out
 * whether the build is up to date.
 */
function copyPdfFiles(): void {
  const source = join(ROOT, 'node_modules/pdfjs-dist');
  const target = join(ROOT, 'public', PDF_FILES);
  const stampFile = `${target}.made-of`;
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === version) return;
  rmSync(stampFile, { force: true });
  rmSync(target, { recursive: true, force: true });
  for (const folder of PDF_FOLDERS) cpSync(join(source, folder), join(target, folder), { recursive: true });
  writeFileSync(stampFile, version);
}

async function ensureWorker({ file, entry, folders }: WorkerFile): Promise<void> {
  const outfile = join(ROOT, 'public', file);
  const stampFile = `${outfile}.made-of`;
  const stamp = hashInputs(folders);
  if (existsSync(outfile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  rmSync(stampFile, { force: true });
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    outfile,
    logLevel: 'error',
    // linkedom draws if it finds a package for that, which it does not.
    external: ['canvas'],
  });
  writeFileSync(stampFile, stamp);
}

function hashInputs(folders: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  hash.update(readFileSync(import.meta.filename));
  for (const folder of folders)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/(?<!\.test)\.ts$/.test(name)) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
  return hash.digest('hex');
}
