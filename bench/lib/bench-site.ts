import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.ts';
import { serveBuiltSite } from '#scripts/lib/built-site.ts';

interface BenchSite {
  /** A browser with a new profile on disk. */
  context: BrowserContext;
  url: string;
  close(): Promise<void>;
}

/** Builds the page of a folder as in production, and serves it to a browser. `answer` may handle requests itself. */
export async function openBenchSite(...site: Parameters<typeof serveBuiltSite>): Promise<BenchSite> {
  const served = await serveBuiltSite(...site);
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const context = await chromium.launchPersistentContext(profile, launchOptions());
  return {
    context,
    url: `http://127.0.0.1:${served.port}/`,
    async close() {
      await context.close();
      served.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
