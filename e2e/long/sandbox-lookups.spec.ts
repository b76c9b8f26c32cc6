import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { launchOptions } from '#scripts/lib/browser.ts';
import { exfiltrations, navigations } from '../lib/attacks.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evaluateAll } from '../lib/sandbox.ts';
import { StudioPage } from '../lib/studio-page.ts';

/** Names that belong to nobody. The browser's own network log shows whether one was requested. */
const NAME = 'carried-out.example';
const CONTROL = 'asked-for.example';

test('no name lookup can carry data out', async ({ bench }) => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'lookups-'));
  const log = join(folder, 'network.json');
  const options = launchOptions();
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    ...options,
    args: [...options.args, `--log-net-log=${log}`],
    baseURL: bench.url,
  });
  try {
    const targets = {
      http: `http://${NAME}`,
      ws: `ws://${NAME}`,
      stun: `stun:${NAME}:3478`,
      studio: bench.url,
    };
    const attacks = [
      ...exfiltrations(targets).map(({ code }) => code.replaceAll('prefetched.example', NAME)),
      ...navigations(targets).map(({ code }) => code),
    ];
    const studio = new StudioPage(await context.newPage());
    studio.expectedProblems.push('');
    await studio.open();
    await evaluateAll({ bench, studio }, attacks, { timeout: 150_000 });
    const other = await context.newPage();
    await other.goto(`http://${CONTROL}/`).catch(() => undefined);
  } finally {
    // The log is complete once the browser has exited.
    await context.close();
  }
  const network = readFileSync(log, 'utf8');
  expect(network).toContain(CONTROL);
  expect(network).not.toContain(NAME);
  rmSync(folder, { recursive: true, force: true });
});
