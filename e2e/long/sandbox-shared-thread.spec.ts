import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#scripts/lib/browser.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evaluateAll } from '../lib/sandbox.ts';
import { StudioPage } from '../lib/studio-page.ts';

test('if frames share the page’s thread, code runs in a worker, and an endless loop blocks nothing', async ({
  bench,
}) => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'shared-thread-'));
  const browser = findBrowser();
  // As in some browsers and on small devices, which run all frames of a page in one process.
  const context = await chromium.launchPersistentContext(folder, {
    ...(browser?.path === undefined ? {} : { executablePath: browser.path }),
    args: ['--disable-site-isolation-trials', '--disable-features=IsolateSandboxedIframes'],
    baseURL: bench.url,
  });
  try {
    const studio = new StudioPage(await context.newPage());
    await studio.open();
    const [first, loop, next] = await evaluateAll({ bench, studio }, [
      'let kept = 2; [typeof document, typeof importScripts, kept]',
      { code: 'for (;;);', timeout: 1 },
      'class A { two() { return 1 + 1 } } new A().two()',
    ]);
    expect(first).toContain('["undefined", "function", 2]');
    expect(first).toContain('[This browser runs the code in a worker');
    expect(loop).toContain('timed-out: The code ran longer than 1 second');
    expect(next).toMatch(/^2\n/);
    expect(await evaluateAll({ bench, studio }, ['new A().two()'])).toEqual([
      expect.stringMatching(/^2\n\[This browser/),
    ]);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
