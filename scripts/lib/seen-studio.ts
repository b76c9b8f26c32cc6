import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findBrowser, launchOptions } from './browser.ts';
import { ensureBuild } from './build.ts';
import { freePort, startServer } from './server.ts';

/** A separate studio and a browser that shows it. */
export interface SeenStudio {
  url: string;
  browser: Browser;
  /** Stops both, and removes the studio's database. */
  close(): Promise<void>;
}

/**
 * Builds the studio if necessary, starts it on a free port with a temporary database, and starts a browser. Models and
 * everything else come from the environment unless `env` overrides them.
 */
export async function openSeenStudio(env: Readonly<Record<string, string>> = {}): Promise<SeenStudio> {
  const found = findBrowser();
  if (found === undefined) throw new Error('No Chromium found. Run `npx playwright install chromium`.');
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), 'roundtrip-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const port = await freePort();
  const server = await startServer({
    port,
    env: { HOST: 'localhost', ...env, DATABASE_URL: `sqlite:${join(folder, 'checkpoints.db')}` },
  }).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  const killServer = () => server.process.kill('SIGKILL');
  process.once('exit', killServer);
  const closeServer = async () => {
    await server.stop();
    process.off('exit', killServer);
    removeFolder();
  };
  try {
    const browser = await chromium.launch(launchOptions(found));
    return {
      url: `http://localhost:${port}`,
      browser,
      async close() {
        await browser.close();
        await closeServer();
      },
    };
  } catch (error) {
    await closeServer();
    throw error;
  }
}
