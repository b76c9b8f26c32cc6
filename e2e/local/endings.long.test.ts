import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench } from '../lib/cli-bench.ts';
import { coreShareOf, processesOf } from '../lib/processes.ts';

// The program that started the command line may be gone at any moment, and so may the one that reads its output.

/** Moments after the start, in milliseconds: before, in, and after a turn. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => index * 150);

/** Starts a program with pipes, and waits for its end. */
const PARENT = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'pipe', 'pipe'] }).on('exit', process.exit)`;

let bench: CliBench;
let child: ChildProcess | undefined;
beforeEach(async () => {
  bench = await CliBench.start();
  bench.model.script('Go', [
    { calls: [{ name: 'execute_bash', arguments: JSON.stringify({ command: 'echo begun; sleep 1; echo done' }) }] },
    { text: 'A long answer, in many words. '.repeat(20), delayMs: 20 },
  ]);
});
afterEach(async () => {
  const group = child?.pid ?? 0;
  if (processesOf(group).length > 0) process.kill(-group, 'SIGKILL');
  await bench.stop();
});

function start(command: readonly string[]): number {
  const [program = '', ...args] = command;
  child = spawn(program, args, {
    cwd: bench.folder,
    env: bench.environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout?.resume();
  child.stderr?.resume();
  return child.pid ?? 0;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const RUN = [process.execPath, join(ROOT, 'bin/roundtrip.js'), 'run', 'Go', '--yes'];
const SERVE = [process.execPath, join(ROOT, 'bin/roundtrip.js'), 'serve', '--stdio'];

test.each(MOMENTS)('a run ends when nobody reads its output, from %i ms on', { timeout: 60_000 }, async (at) => {
  const group = start(RUN);
  await pause(at);
  child?.stdout?.destroy();
  child?.stderr?.destroy();
  await vi.waitFor(() => expect(processesOf(group, bench.folder)).toEqual([]), { timeout: 20_000, interval: 100 });
});

test.each(MOMENTS)(
  'nothing is left when the parent of a run is killed after %i ms',
  { timeout: 60_000 },
  async (at) => {
    const group = start([process.execPath, '-e', PARENT, ...RUN]);
    await pause(at);
    child?.kill('SIGKILL');
    await vi.waitFor(() => expect(processesOf(group, bench.folder)).toEqual([]), { timeout: 20_000, interval: 100 });
  },
);

test.each(MOMENTS)(
  'a tool server whose output is closed after %i ms rests, and ends with its input',
  {
    timeout: 60_000,
  },
  async (at) => {
    const group = start(SERVE);
    child?.stdin?.on('error', () => undefined);
    await pause(at);
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    for (let id = 0; id < 3; id++) child?.stdin?.write(`${JSON.stringify({ id, method: 'list_tools' })}\n`);
    await pause(1_500);
    expect(await coreShareOf(processesOf(group), 1_000)).toBeLessThan(0.05);
    child?.stdin?.destroy();
    await vi.waitFor(() => expect(processesOf(group, bench.folder)).toEqual([]), { timeout: 5_000, interval: 100 });
  },
);

test.each(MOMENTS)(
  'nothing is left when the parent of a tool server is killed after %i ms',
  {
    timeout: 60_000,
  },
  async (at) => {
    const group = start([process.execPath, '-e', PARENT, ...SERVE]);
    await pause(at);
    child?.kill('SIGKILL');
    await vi.waitFor(() => expect(processesOf(group, bench.folder)).toEqual([]), { timeout: 5_000, interval: 100 });
  },
);
