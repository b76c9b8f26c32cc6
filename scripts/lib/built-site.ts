import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { build, type InlineConfig, mergeConfig } from 'vite';
import { DOCUMENTS_WORKER_FILE } from '#lib/documents/document-reader.ts';
import { DIAGRAM_SCRIPT } from '#lib/sandbox/diagrams/diagrams.ts';
import { diagramDocument, diagramHeaders, scriptHash } from '#lib/sandbox/diagrams/frame-document.ts';
import { DIAGRAM_FRAME_PATH, frameDocument, frameHeaders } from '#lib/sandbox/frame-document.ts';
import { KERNEL_FILE } from './preview-files.ts';
import { ROOT } from './run.ts';

export interface BuiltSite {
  port: number;
  close(): void;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/**
 * Builds the page of a folder, by its path in the project, as in production, and serves it on loopback. `answer` may
 * handle requests itself. `config` adds to the build's configuration.
 */
export async function serveBuiltSite(
  folder: string,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  config: InlineConfig = {},
): Promise<BuiltSite> {
  const built = mkdtempSync(join(tmpdir(), 'built-site-'));
  const base: InlineConfig = {
    root: resolve(ROOT, folder),
    logLevel: 'warn',
    worker: { format: 'es' },
    optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
    build: { outDir: built, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 10_000 },
  };
  await build(mergeConfig(base, config));
  const server = createServer((request, response) => {
    if (answer(request, response)) return;
    const path = join(built, normalize(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = path.endsWith('/') ? join(path, 'index.html') : path;
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(built, { recursive: true, force: true });
    },
  };
}

/** Serves the sandbox's frame for requests to it, like the studio's server. `sandbox`: its sandbox flags. */
export function answerFrame(
  { url }: IncomingMessage,
  response: ServerResponse,
  path: string,
  sandbox: string,
): boolean {
  if (url !== path) return false;
  response.writeHead(200, frameHeaders(sandbox));
  response.end(frameDocument(readFileSync(KERNEL_FILE, 'utf8')));
  return true;
}

/** Serves the worker that reads documents for requests to it, like the studio's server. */
export function answerDocumentsWorker({ url }: IncomingMessage, response: ServerResponse): boolean {
  if (url !== DOCUMENTS_WORKER_FILE) return false;
  serveScript(DOCUMENTS_WORKER_FILE, response);
  return true;
}

/** Serves what draws diagrams for requests to it, like the studio's server. */
export function answerDiagrams({ url }: IncomingMessage, response: ServerResponse): boolean {
  if (url === DIAGRAM_SCRIPT) {
    serveScript(DIAGRAM_SCRIPT, response);
    return true;
  }
  if (url !== DIAGRAM_FRAME_PATH) return false;
  void scriptHash().then((hash) => {
    response.writeHead(200, diagramHeaders(hash));
    response.end(diagramDocument);
  });
  return true;
}

/** Serves a script that is built into `public`, by its path there. */
function serveScript(path: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/javascript' });
  createReadStream(join(ROOT, 'public', path)).pipe(response);
}
