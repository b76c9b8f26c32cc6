import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { TestBench } from '#e2e/lib/bench.ts';
import { readCall } from '#e2e/lib/prompt.ts';
import { StudioPage } from '#e2e/lib/studio-page.ts';

/** Lets the model read a file repeatedly in a new thread; returns the milliseconds between its steps. */
export async function timeRoundTrips(bench: TestBench, page: Page, calls: number): Promise<number[]> {
  const prompt = `Read it ${calls} times. ${crypto.randomUUID()}`;
  const studio = new StudioPage(page);
  bench.model.script(prompt, [
    ...Array.from({ length: calls }, () => ({ calls: readCall('/a.txt'), piece: 64 })),
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.txt': 'alpha' }, url: bench.url });
  await studio.say(prompt);
  const steps = () => bench.model.timing.filter((step) => step.prompt === prompt);
  // Polled from here, because polling in the page would slow it down.
  while (steps().length <= calls) await setTimeout(50);
  await studio.settled();
  await page.close();
  return steps().flatMap(({ arrivedAt }, index, all) => {
    const endedAt = all[index - 1]?.endedAt;
    return endedAt === undefined ? [] : [arrivedAt - endedAt];
  });
}
