import type { Page } from '@playwright/test';
import { contention } from './contention.ts';

/** The tasks of a page that take more than 50 ms. */
export interface LongTasks {
  /** Forgets the tasks so far. */
  clear(): Promise<void>;
  /**
   * The longest task since then, in milliseconds; 0 if none took more than 50. One over `limit` is divided by the factor by which
   * others slow this machine down.
   */
  longest(limit: number): Promise<number>;
}

/** Watches the tasks of the open page from now on. */
export async function watchLongTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluateHandle(() => {
    const durations: number[] = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(Math.round(duration));
    }).observe({ type: 'longtask' });
    return durations;
  });
  return {
    clear: () =>
      tasks.evaluate((durations) => {
        durations.length = 0;
      }),
    async longest(limit) {
      const ms = await tasks.evaluate((durations) => Math.max(0, ...durations));
      return Math.round(ms / (ms > limit ? contention() : 1));
    },
  };
}

/** The longest tasks of these, by name, as text. */
export const longestTasks = (tasks: Readonly<Record<string, number>>): string =>
  Object.entries(tasks)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 8)
    .map(([name, ms]) => `${name} ${ms} ms`)
    .join('; ');
