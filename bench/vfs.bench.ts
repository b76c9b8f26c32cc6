// The workspace beside ZenFS, LightningFS and SQLite on OPFS: the same work on the same files in real Chromium, in one
// run, each in the fastest way that it offers. Prints medians and how many times the best of the three takes.
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { findBrowser } from '#scripts/lib/browser.ts';
import { ROOT } from '#scripts/lib/run.ts';
import type { Results } from './vfs/page.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SUBJECTS = process.argv[3]?.split(',') ?? ['studio', 'zenfs', 'lightning-fs', 'sqlite-opfs'];

/** How many times as long the best peer must take at least. */
const REQUIRED: Record<string, number> = {
  'create 10,000 files of 500 B': 1.5,
  'open cold, and list a folder': 1.5,
  'list 500 folders': 10,
  '1,000 random reads': 10,
  'overwrite a file 1,000 times': 1,
  checkpoint: 8,
  'rename a folder of 2000': 3,
  'delete 2000 files': 3,
  'restore the checkpoint': 10,
  'import 50 MB': 2,
  '1,000 cold reads of 50 MB': 1,
  'search 50 MB cold': 1.5,
  'search 50 MB warm': 2,
};

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const folder = mkdtempSync(join(tmpdir(), 'vfs-bench-'));
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await build({
  root: join(ROOT, 'bench/vfs'),
  logLevel: 'warn',
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
  build: { outDir: folder, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 10_000 },
});
const server = createServer((request, response) => {
  const path = join(folder, normalize(new URL(request.url ?? '/', 'http://localhost').pathname));
  const file = path.endsWith('/') ? join(path, 'index.html') : path;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
  return createReadStream(file).pipe(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const profile = mkdtempSync(join(tmpdir(), 'vfs-profile-'));
const browser = findBrowser();
const context = await chromium.launchPersistentContext(
  profile,
  browser?.path === undefined ? {} : { executablePath: browser.path },
);
const rounds = new Map<string, Results[]>(SUBJECTS.map((name) => [name, []]));
try {
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SUBJECTS) {
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const results = await page.evaluate(
        ([subject, index]) =>
          (window as unknown as { runRound(name: string, round: number): Promise<Results> }).runRound(subject, index),
        [name, round] as const,
      );
      rounds.get(name)?.push(results);
      await page.close();
    }
  }
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

const steps = Object.keys(rounds.get(SUBJECTS[0] ?? '')?.[0] ?? {});
console.log(`Medians of ${ROUNDS} rounds, in milliseconds; the page's longest stall in parentheses\n`);
for (const step of steps) {
  const of = (name: string, what: 'ms' | 'stallMs') =>
    median((rounds.get(name) ?? []).map((results) => results[step]?.[what] ?? Number.NaN));
  const shown = SUBJECTS.filter((name) => !Number.isNaN(of(name, 'ms'))).map(
    (name) => `${name} ${of(name, 'ms').toFixed(1)} (${of(name, 'stallMs').toFixed(0)})`,
  );
  const best = Math.min(...SUBJECTS.filter((name) => name !== 'studio').map((name) => of(name, 'ms')));
  const ratio = best / of('studio', 'ms');
  const required = REQUIRED[step];
  const verdict =
    required === undefined
      ? ''
      : `  ${ratio.toFixed(1)} times, ${required} required${ratio < required ? ' — MISSED' : ''}`;
  console.log(`${step}: ${shown.join(', ')}${verdict}`);
}
