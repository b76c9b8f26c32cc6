import type { Locator, Page } from '@playwright/test';
import { contention } from '../lib/contention.ts';
import { expect } from '../lib/fixtures.ts';
import { HostileServer } from '../lib/hostile-server.ts';
import { add, test as base, connected, line } from '../lib/mcp-page.ts';
import { prompt } from '../lib/prompt.ts';
import { WebTestServer } from '../lib/web-server.ts';

const test = base.extend<{ hostile: HostileServer; site: WebTestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  hostile: async ({}, use) => {
    const server = await HostileServer.start();
    await use(server);
    await server.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  site: async ({}, use) => {
    const server = await WebTestServer.start();
    await use(server);
    await server.stop();
  },
});

/** Watches from now on how long the page stands still. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  });

/** The maximum time for which the page may stand still, in milliseconds, on a machine that has nothing else to do. */
const STALL_MAX_MS = 500;

test('a hostile tool server and a hostile page do not hold up the studio', async ({
  studio,
  bench,
  page,
  hostile,
  site,
}) => {
  test.setTimeout(180_000);
  const factors = [contention()];
  const figures: Record<string, number> = {};
  /** Takes down the longest task since the last time, in milliseconds. */
  const takeDown = async (what: string) => {
    figures[what] = await page.evaluate(() => {
      const { longTasks } = globalThis as unknown as { longTasks: number[] };
      return Math.max(0, ...longTasks.splice(0));
    });
    factors.push(contention());
  };
  /** Lets the model call a tool, which is allowed, and waits for the answer. */
  const call = async (name: string, input: object, { allow, answers }: { allow: Locator; answers: number }) => {
    const question = prompt(`Please use ${name}`);
    bench.model.script(question, [{ calls: [{ name, arguments: JSON.stringify(input) }] }, { text: 'Done.' }]);
    await studio.say(question);
    await allow.click();
    await studio.settled(answers);
  };
  await studio.open();
  await watch(page);

  await add(studio, page, hostile, 'hostile');
  await expect(line(page)).toContainText('Connected', { timeout: 60_000 });
  await connected(page);
  await takeDown('list');
  // Nothing is waited for: this is how long the flood is watched.
  await page.waitForTimeout(6_000);
  await takeDown('flood of changes');
  await call('hostile_slow', {}, { allow: studio.allowOnce, answers: 1 });
  await takeDown('structured result');
  await call('hostile_tool_0', {}, { allow: studio.allowOnce, answers: 2 });
  await takeDown('long result');
  await studio.toggleTool('Web');
  site.answers.set('/hostile', (response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>${'t'.repeat(100_000)}</title>${'<div><a href="/x" title="'.repeat(20_000)}${'<b>x'.repeat(60_000)}`,
    );
  });
  await call('fetch_url', { url: `${site.url}/hostile` }, { allow: studio.allow, answers: 3 });
  await takeDown('page');

  const factor = Math.max(...factors);
  const measured = `${JSON.stringify(figures)}, with everything taking ${factor.toFixed(1)} times as long as it should`;
  test.info().annotations.push({ type: 'longest task, in milliseconds', description: measured });
  expect(Math.max(...Object.values(figures)), measured).toBeLessThan(STALL_MAX_MS * factor);
});
