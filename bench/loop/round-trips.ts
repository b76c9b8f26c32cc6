import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { TestBench } from '#e2e/lib/bench.ts';
import { readCall } from '#e2e/lib/prompt.ts';
import { StudioPage } from '#e2e/lib/studio-page.ts';

/** The longest time that a step may take before the benchmark fails, in milliseconds. */
const STEP_TIMEOUT_MS = 2_000;

/**
 * Lets the model read one file after the other in a new thread; returns the milliseconds between its steps. Each file is
 * another one, because the same call with the same result again and again ends a turn.
 */
export async function timeRoundTrips(bench: TestBench, page: Page, calls: number): Promise<number[]> {
  const prompt = `Read ${calls} files. ${crypto.randomUUID()}`;
  const studio = new StudioPage(page);
  bench.model.script(prompt, [
    ...Array.from({ length: calls }, (_, index) => ({ calls: readCall(`/${index}.txt`), piece: 64 })),
    { text: 'Done.' },
  ]);
  const files = Object.fromEntries(Array.from({ length: calls }, (_, index) => [`/${index}.txt`, `text ${index}`]));
  await studio.open({ files, url: bench.url });
  await studio.say(prompt);
  const steps = () => bench.model.timing.filter((step) => step.prompt === prompt);
  // Polled from here, because polling in the page would slow it down.
  const deadline = Date.now() + STEP_TIMEOUT_MS * (calls + 1);
  while (steps().length <= calls) {
    if (Date.now() > deadline) throw new Error(`The turn took ${steps().length} steps, not ${calls + 1}.`);
    await setTimeout(50);
  }
  await studio.settled();
  await page.close();
  return steps().flatMap(({ arrivedAt }, index, all) => {
    const endedAt = all[index - 1]?.endedAt;
    return endedAt === undefined ? [] : [arrivedAt - endedAt];
  });
}
