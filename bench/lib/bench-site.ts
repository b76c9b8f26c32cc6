import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { build } from 'vite';
import { findBrowser } from '#scripts/lib/browser.ts';
import { ROOT } from '#scripts/lib/run.ts';

export interface BenchSite {
  /** A browser with a new profile, kept on the disk. */
  context: BrowserContext;
  url: string;
  close(): Promise<void>;
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Builds the page of a folder, as in production, and serves it to a browser. `answer` may take requests for itself. */
export async function openBenchSite(
  folder: string,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<BenchSite> {
  const built = mkdtempSync(join(tmpdir(), 'bench-site-'));
  await build({
    root: join(ROOT, folder),
    logLevel: 'warn',
    worker: { format: 'es' },
    optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
    build: { outDir: built, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 10_000 },
  });
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
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const browser = findBrowser();
  const context = await chromium.launchPersistentContext(
    profile,
    browser?.path === undefined ? {} : { executablePath: browser.path },
  );
  return {
    context,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      await context.close();
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true });
      rmSync(built, { recursive: true, force: true });
    },
  };
}

/** The middle one; of an even number the later of the two. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
