import { chromium } from '@playwright/test';
import { TestBench } from '#e2e/lib/bench.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { median } from '../lib/median.ts';
import { ANSWER, sendCatalogue, timeDirectly, timeStudio } from '../loop/first-token.ts';
import { timeRoundTrips } from '../loop/round-trips.ts';
import type { Comparison } from './comparison.ts';
import type { OtherCommit } from './other-commit.ts';

const WARM_UP = 100;
const ROUNDS = 300;
const CALLS = 20;

/** Compares what the studio's route adds to the first token, and the time from a call to the next model request. */
export async function compare({ folder }: OtherCommit, comparison: Comparison): Promise<void> {
  const env = { LOG_LEVEL: 'warn', AGENT_MAX_STEPS: '100' };
  const benches = { before: await TestBench.start(env, folder), here: await TestBench.start(env, ROOT) };
  try {
    for (const { url } of Object.values(benches)) await sendCatalogue(url);
    await comparison.rounds({ count: ROUNDS, warmUp: WARM_UP }, async (side, round) => {
      const { url, model } = benches[side];
      const prompt = `first token ${round}`;
      model.script(prompt, [ANSWER]);
      const direct = await timeDirectly(model.url, prompt);
      return { 'the route adds to the first token, ms': (await timeStudio(url, prompt)) - direct };
    });
    const browser = await chromium.launch(launchOptions());
    await comparison.rounds({ count: 10, warmUp: 1 }, async (side) => {
      const context = await browser.newContext({ locale: 'en-US' });
      const gaps = await timeRoundTrips(benches[side], await context.newPage(), CALLS);
      await context.close();
      return { 'from a call to the next model request, ms': median(gaps) };
    });
    await browser.close();
  } finally {
    await benches.before.stop();
    await benches.here.stop();
  }
}
