import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { messageOf } from '#lib/base/message-of.ts';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolContext } from '#lib/tools/core/tool.ts';
import { createLog } from '#log/log.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { HttpProblem, problemResponse } from '#server/http/problem.ts';
import { StudioServers } from '#server/mcp/studio-servers.ts';
import { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { DirectConnection, noLogins } from '#studio/sources/mcp/test/direct-connection.ts';

const ROUNDS = 50;
/** The time that a call takes, in milliseconds. */
const CALL_MS = 15;

let folder: string;
let mark: string;
/** The studio's server. */
let studio: StudioServers;

const startStudio = (): StudioServers =>
  new StudioServers({
    path: join(folder, 'mcp.yaml'),
    env: { PATH: process.env.PATH, CALLS_FILE: join(folder, 'calls') },
    log: createLog('silent'),
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counted-'));
  mark = `mark-${randomInt(1_000_000_000)}`;
  const program = join(ROOT, 'lib/sources/mcp/programs/test/program.ts');
  writeFileSync(join(folder, 'calls'), '');
  writeFileSync(
    join(folder, 'mcp.yaml'),
    `servers:\n  house: { command: "${process.execPath}", args: ["${program}", plain, ${mark}], env: [CALLS_FILE] }\n`,
  );
  studio = startStudio();
});
afterEach(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

/** Kills the programs of this test. */
function killPrograms(): void {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
  for (const line of stdout.split('\n').filter((one) => one.includes(mark)))
    process.kill(Number(line.trim().split(' ')[0]), 'SIGKILL');
}

/** The page's way to the studio. */
const toStudio: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  return studio
    .answer('house', request, () => request.json())
    .catch((error: unknown) => {
      if (error instanceof HttpProblem) return problemResponse(error);
      throw error;
    });
};

test(`${ROUNDS} times, a program is killed, or the studio restarted, at any moment of a call: nothing runs twice`, async () => {
  const registry = new ToolRegistry([]);
  const page = await McpServers.open({
    store: new MemoryThreadStore(),
    registry,
    vault: async () => ({}) as KeyVault,
    logins: noLogins(async () => ({}) as KeyVault),
    createClient: () => new DirectConnection(toStudio),
    listStudioServers: async () => [{ name: 'house' }],
    onNewServers: () => undefined,
  });
  await expect.poll(() => page.state.getState()[0]?.status, { timeout: 10_000 }).toBe('ready');
  const tool = registry.get('house_slow');
  if (tool === undefined) throw new Error('The tool is not there.');
  const context = { abortSignal: new AbortController().signal, report: () => undefined } as unknown as ToolContext;
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // In some rounds, the call has to connect first.
    if (round % 5 > 0) await page.connect('house');
    const call = Promise.resolve(tool.execute({ text: `round ${round}`, ms: CALL_MS }, context)).then(
      () => 'done',
      (error: unknown) => messageOf(error),
    );
    await setTimeout(randomInt(2 * CALL_MS));
    if (round % 2 === 0) killPrograms();
    else await studio.close();
    outcomes.push(await call);
    // Programs that are killed again and again would have to wait.
    await studio.close();
    studio = startStudio();
  }
  const ran = readFileSync(join(folder, 'calls'), 'utf8').split('\n').filter(Boolean);
  expect(new Set(ran).size).toBe(ran.length);
  for (const [round, outcome] of outcomes.entries()) {
    const didRun = ran.includes(`slow round ${round}`);
    if (outcome === 'done') expect(didRun, outcome).toBe(true);
    else if (outcome.startsWith('Not run.')) expect(didRun, outcome).toBe(false);
    else expect(outcome).toContain('may have made changes');
  }
  expect(outcomes.filter((outcome) => outcome.includes('may have made changes')).length).toBeGreaterThan(0);
}, 120_000);
