import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, expect, type Page, test } from '@playwright/test';
import { build, preview } from 'vite';
import { findBrowser } from '#scripts/lib/browser.ts';
import { ROOT } from '#scripts/lib/run.ts';

const KILLS = 10;

/** The number of times that the browser may discard all that it has stored, which happens on a busy machine. */
const DISCARDS_MAX = 2;

/** A browser in a process that can be killed, with a persistent profile. */
async function startBrowser(profile: string): Promise<{ process: ChildProcess; endpoint: string }> {
  const path = findBrowser()?.path ?? chromium.executablePath();
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
    const endpoint = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
    if (endpoint !== undefined) resolve(endpoint);
  });
  child.on('exit', () => reject(new Error(`The browser did not start: ${output}`)));
  return { process: child, endpoint: await promise };
}

/** Kills it and all its children at once, like a power failure. */
async function kill({ process: child }: { process: ChildProcess }): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

interface BrowserStorage {
  databases: IDBDatabaseInfo[];
  storage: StorageEstimate;
}

/**
 * Reads what the browser has stored. Until every process of the killed browser has ended, Chromium cannot open its
 * database, and says so.
 */
async function openedStorage(page: Page): Promise<BrowserStorage> {
  let found: BrowserStorage = { databases: [], storage: {} };
  await expect(async () => {
    found = await page.evaluate(async () => ({
      databases: await indexedDB.databases(),
      storage: await navigator.storage.estimate(),
    }));
  }).toPass({ timeout: 20_000 });
  return found;
}

test(`[R19] a browser killed in the middle of writing, ${KILLS} times, loses no acknowledged write`, async () => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const root = join(ROOT, 'e2e/killed');
  const outDir = join(folder, 'page');
  await build({ root, logLevel: 'error', worker: { format: 'es' }, build: { outDir, target: 'esnext' } });
  const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const url = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`;
  /** The last acknowledged text of each file. */
  const acknowledged = new Map<string, string>();
  let writes = 0;
  let discards = 0;
  try {
    for (let round = 0; round <= KILLS; round++) {
      const started = await startBrowser(join(folder, 'profile'));
      const browser = await chromium.connectOverCDP(started.endpoint);
      const [context] = browser.contexts();
      const page = await (context ?? (await browser.newContext())).newPage();
      await page.exposeFunction('acknowledge', (path: string, text: string) => {
        writes++;
        // Later writes may have succeeded although their acknowledgement was lost.
        acknowledged.set(path, text);
      });
      await page.goto(url);
      const browserHas = await openedStorage(page);
      // Nothing in the page deletes a database, so a browser without any has discarded it.
      if (acknowledged.size > 0 && browserHas.databases.length === 0) {
        discards++;
        acknowledged.clear();
      }
      const found = new Map(await page.evaluate(() => window.readAll()));
      // Read everything at once: there are thousands of files, and more on a faster machine.
      const lost = [...acknowledged].flatMap(([path, last]) => {
        const text = found.get(path);
        const isNewer = text !== undefined && Number.parseInt(text, 10) > Number.parseInt(last, 10);
        return text === last || isNewer ? [] : [`${path}: ${text?.slice(0, 20)}, not ${last.slice(0, 20)}`];
      });
      expect(lost, `lost after ${round} kills; the browser has ${JSON.stringify(browserHas)}`).toEqual([]);
      if (round === KILLS) {
        await kill(started);
        break;
      }
      await page.evaluate((current) => window.writeForEver(current), round);
      await setTimeout(400 + Math.random() * 600);
      await kill(started);
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(discards, 'how often the browser itself has discarded everything').toBeLessThanOrEqual(DISCARDS_MAX);
  expect(writes).toBeGreaterThan(KILLS * 100);
});
