import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '#scripts/lib/server.ts';
import { coreShareOf, processesOf } from './lib/processes.ts';

// .ci/run has already run `npm ci`; these are the commands themselves, as people type them.

let folder: string;
let child: ChildProcess | undefined;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});

test.afterEach(async () => {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    // npm, the script and the server that it started are one process group.
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  child = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts an npm script with only the demo model configured. Its output is returned as it grows. */
function startNpm(args: readonly string[], env: Record<string, string>): { printed(): string } {
  let printed = '';
  child = spawn('npm', [...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MODELS_FILE: join(folder, 'none.yaml'),
      DISCOVER_LOCAL: 'false',
      DATABASE_URL: `sqlite:${join(folder, 'checkpoints.db')}`,
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      printed += data.toString();
    });
  }
  return { printed: () => printed };
}

test('npm start prints the studio’s URL and the models it found, and serves it', async ({ request, page }) => {
  test.setTimeout(120_000);
  const npm = startNpm(['start'], { PORT: '0' });
  const line = /^Roundtrip Studio is at (http:\/\/localhost:\d+) · (.+)$/m;
  await expect(() => expect(npm.printed()).toMatch(line)).toPass({ timeout: 90_000 });
  const [, url = '', models] = line.exec(npm.printed()) ?? [];
  expect(models).toBe('no models found, only the demo');
  expect(await (await request.get(`${url}/api/health`)).json()).toEqual({ status: 'ok' });
  await page.goto(url);
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
});

test('npm run dev serves the studio', async ({ request }) => {
  test.setTimeout(180_000);
  const port = await freePort();
  const npm = startNpm(['run', 'dev'], { PORT: String(port) });
  await expect(async () => {
    const health = await request.get(`http://localhost:${port}/api/health`, { timeout: 60_000 });
    expect(await health.json(), npm.printed()).toEqual({ status: 'ok' });
  }).toPass({ timeout: 150_000 });
});

test('npm start goes on when nobody reads its output any more, and its server ends with it', async ({ request }) => {
  test.setTimeout(120_000);
  const npm = startNpm(['start'], { PORT: '0', LOG_LEVEL: 'debug' });
  const line = /^Roundtrip Studio is at (http:\/\/localhost:\d+) /m;
  await expect(() => expect(npm.printed()).toMatch(line)).toPass({ timeout: 90_000 });
  const [, url = ''] = line.exec(npm.printed()) ?? [];
  const group = processesOf(child?.pid ?? 0);
  expect(group.length).toBeGreaterThanOrEqual(2);

  child?.stdout?.destroy();
  child?.stderr?.destroy();
  for (let count = 0; count < 20; count++) expect((await request.post(`${url}/api/chat`, INVALID)).status()).toBe(400);
  // One of them spun for ever, with 95 % of a core.
  expect(await coreShareOf(group, 4_000)).toBeLessThan(0.5);
  expect(await (await request.get(`${url}/api/health`)).json()).toEqual({ status: 'ok' });

  const script = group.find(({ command }) => /^\S*node \S*scripts\/start\.ts$/.test(command));
  process.kill(script?.pid ?? 0, 'SIGKILL');
  await expect(() => expect(processesOf(child?.pid ?? 0)).toEqual([])).toPass({ timeout: 10_000 });
});

/** A request that is logged. */
const INVALID = { headers: { 'content-type': 'application/json' }, data: '{' };
