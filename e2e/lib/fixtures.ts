import { test as base, expect } from '@playwright/test';
import { BOOT_STEP } from '#scripts/timings/playwright-reporter.ts';
import { TestBench } from './bench.ts';
import { StudioPage } from './studio-page.ts';

interface WorkerFixtures {
  bench: TestBench;
}

interface TestFixtures {
  studio: StudioPage;
  /** Starts a bench for this test only. The page is closed before the bench stops, so that its requests do not fail. */
  startBench: (env?: Record<string, string>) => Promise<TestBench>;
}

/** One bench per worker; a new page with its own storage per test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  bench: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
    async ({}, use) => {
      const bench = await TestBench.start();
      await use(bench);
      await bench.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ bench }, use) => use(bench.url),
  studio: async ({ page }, use) => {
    const studio = new StudioPage(page);
    const open = studio.open.bind(studio);
    // A step of its own, so that `npm run timings` can tell how long pages take to open.
    studio.open = (options) => base.step(BOOT_STEP, () => open(options));
    await use(studio);
    expect(studio.problems, 'errors of the page').toEqual([]);
  },
  startBench: async ({ page }, use) => {
    const started: TestBench[] = [];
    await use(async (env) => {
      const bench = await TestBench.start(env);
      started.push(bench);
      return bench;
    });
    await page.close();
    for (const bench of started) await bench.stop();
  },
});

export { expect };
