import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ROOT } from '#scripts/lib/run.ts';
import type { TestBench } from './lib/bench.ts';
import { test as base, expect } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const SECRET = 'not-for-browsers-0815';

/** The setup of an operator: a file that lists tool servers, and the calls that the program of one of them has run. */
interface Operator {
  /** The file, as the studio's variables name it. */
  env: Record<string, string>;
  /** Lists servers by their names, each the same program. */
  list(...names: string[]): void;
  calls(): string[];
}

const test = base.extend<{ operator: Operator }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  operator: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'roundtrip-mcp-'));
    const [file, calls] = [join(folder, 'mcp.yaml'), join(folder, 'calls')];
    const program = join(ROOT, 'lib/sources/mcp/programs/test/program.ts');
    const list = (...names: string[]) =>
      writeFileSync(
        file,
        `servers:\n${names.map((name) => `  ${name}: { title: "House tools", command: "${process.execPath}", args: ["${program}", plain, "${file}"], env: [HOUSE_TOKEN, CALLS_FILE] }\n`).join('')}`,
      );
    writeFileSync(calls, '');
    list('house');
    await use({
      env: { MCP_FILE: file, CALLS_FILE: calls, HOUSE_TOKEN: SECRET },
      list,
      calls: () => readFileSync(calls, 'utf8').split('\n').filter(Boolean),
    });
    rmSync(folder, { recursive: true });
  },
});

/** The line of a server in the settings. */
const line = (page: Page, name = 'house'): Locator =>
  page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem').filter({ hasText: name });

/** Closes the settings. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Asks something that the model answers by a call of one of the server's tools. */
async function ask(studio: StudioPage, bench: TestBench, tool: string, input: object = {}): Promise<() => unknown> {
  const question = prompt(`Call ${tool}`);
  bench.model.script(question, [
    { calls: [{ name: `house_${tool}`, arguments: JSON.stringify(input) }] },
    { text: 'I have called it.' },
  ]);
  await studio.say(question);
  return () =>
    bench.model
      .requestsFor(question)
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'tool')?.content;
}

test('a server of the operator is there by itself, and its tools ask and run', async ({
  studio,
  page,
  startBench,
  operator,
}) => {
  const bench = await startBench(operator.env);
  await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await expect(line(page)).toContainText('From this studio · Connected');
  await page.getByRole('button', { name: 'Show house' }).click();
  const details = page.getByRole('dialog', { name: 'Tool server house' });
  await expect(details).toContainText('House tools');
  await expect(details).toContainText('Says it again.');
  await expect(details.getByRole('button', { name: 'Delete' })).toBeHidden();
  await page.keyboard.press('Escape');
  await close(page);

  const result = await ask(studio, bench, 'echo', { text: 'hello' });
  await expect(studio.call('house_echo')).toContainText('Says it again.');
  expect(operator.calls()).toEqual([]);
  await page.getByRole('button', { name: 'Always allow' }).click();
  await studio.settled();
  expect(result()).toBe('hello');
  const again = await ask(studio, bench, 'echo', { text: 'again' });
  await studio.settled(2);
  expect(again()).toBe('again');
  expect(operator.calls()).toEqual(['echo hello', 'echo again']);

  const listed = await page.evaluate(async () => (await fetch('/api/mcp/servers')).json());
  expect(listed).toEqual({ servers: [{ name: 'house', title: 'House tools' }] });
  expect(bench.log()).not.toContain(SECRET);
});

test('a program that is killed in the middle of a call ends the call with an error, and the next call starts it again', async ({
  studio,
  startBench,
  operator,
}) => {
  const bench = await startBench(operator.env);
  await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await expect(line(studio.page)).toContainText('Connected');
  await close(studio.page);
  const result = await ask(studio, bench, 'die');
  await studio.allowOnce.click();
  await studio.settled();
  expect(result()).toContain('The server’s program ended (signal SIGKILL). The call may have made changes');
  const again = await ask(studio, bench, 'echo', { text: 'back' });
  await studio.allowOnce.click();
  await studio.settled(2);
  expect(again()).toBe('back');
  expect(operator.calls()).toEqual(['die ', 'echo back']);
});

test('a server is turned off for this browser, and goes when the operator removes it', async ({
  studio,
  page,
  startBench,
  operator,
}) => {
  operator.list('house', 'shed');
  const bench = await startBench(operator.env);
  await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await expect(line(page, 'shed')).toContainText('Connected');
  await page.getByRole('switch', { name: 'Use house' }).click();
  await expect(line(page, 'house')).toContainText('Off');
  operator.list('house');
  await page.reload();
  await studio.openSettings('Tools');
  await expect(line(page, 'shed')).toHaveCount(0);
  await expect(line(page, 'house')).toContainText('From this studio · Off');
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`programs end with the studio, also by ${signal}`, async ({ studio, page, startBench, operator }) => {
    const bench = await startBench(operator.env);
    await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
    await studio.openSettings('Tools');
    await expect(line(page)).toContainText('Connected');
    const isRunning = () =>
      spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.includes(operator.env.MCP_FILE ?? '');
    expect(isRunning()).toBe(true);
    await page.goto('about:blank');
    await bench.stopStudio(signal);
    await expect.poll(isRunning).toBe(false);
  });

test('a studio whose list of servers is wrong says where, and is there without them', async ({
  studio,
  page,
  startBench,
  operator,
}) => {
  writeFileSync(operator.env.MCP_FILE ?? '', 'servers:\n  house: { comand: npx }\n');
  const bench = await startBench(operator.env);
  await studio.open({ url: bench.url, settings: { defaultModel: 'scripted' } });
  await studio.openSettings('Tools');
  await expect(page.getByText('No servers.')).toBeVisible();
  expect(bench.log()).toContain('mcp.yaml:2: servers.house');
});
