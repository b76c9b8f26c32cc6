import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ROOT } from '#scripts/lib/run.ts';
import { freePort } from '#scripts/lib/server.ts';
import { coreShareOf, processesOf } from '../lib/processes.ts';

// The program that started the studio may be gone at any moment: the terminal, the program that reads the output, or
// the start script itself.

/** Moments after the start, in milliseconds: while it starts, and afterwards. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => index * 150);

/** The number of studios that run at a time. */
const AT_ONCE = 2;

let folder: string;
const started: ChildProcess[] = [];

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'endings-'));
});
test.afterEach(() => {
  for (const { pid = 0 } of started.splice(0)) if (processesOf(pid).length > 0) process.kill(-pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ child: ChildProcess; group: number; url: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    ...{ cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: {
      ...process.env,
      ...{ PORT: String(port), LOG_LEVEL: 'debug', DISCOVER_LOCAL: 'false', MODELS_FILE: join(folder, 'none.yaml') },
      DATABASE_URL: `sqlite:${join(folder, `${port}.db`)}`,
    },
  });
  child.stdout?.resume();
  child.stderr?.resume();
  started.push(child);
  return { child, group: child.pid ?? 0, url: `http://localhost:${port}` };
}

/** Does something at all moments, some at a time. */
async function atAllMoments(task: (atMs: number) => Promise<void>): Promise<void> {
  const left = [...MOMENTS];
  const work = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) await task(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('the studio serves on, and ends when asked, from whatever moment on nobody reads its output', async () => {
  test.setTimeout(600_000);
  await atAllMoments(async (at) => {
    const { child, group, url } = await start();
    await pause(at);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await expect(async () => expect((await fetch(`${url}/api/health`)).status).toBe(200)).toPass({ timeout: 60_000 });
    for (let count = 0; count < 3; count++) {
      const invalid = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
      expect((await fetch(`${url}/api/chat`, invalid)).status).toBe(400);
    }
    await pause(5_000);
    // It warms up for some seconds after the start; what spins does so for ever.
    await expect(async () => {
      for (const seen of processesOf(group))
        expect(await coreShareOf([seen], 2_000), `${seen.command}, closed after ${at} ms`).toBeLessThan(0.05);
    }).toPass({ timeout: 20_000 });
    child.kill('SIGTERM');
    await expect(() => expect(processesOf(group), `closed after ${at} ms`).toEqual([])).toPass({ timeout: 15_000 });
  });
});

test('nothing is left of the studio from whatever moment on its start script is gone', async () => {
  test.setTimeout(300_000);
  await atAllMoments(async (at) => {
    const { child, group } = await start();
    await pause(at);
    child.kill('SIGKILL');
    await expect(() => expect(processesOf(group), `killed after ${at} ms`).toEqual([])).toPass({ timeout: 5_000 });
  });
});
