import { chromium } from '@playwright/test';
import { TestBench } from '#e2e/lib/bench.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { median } from '../lib/median.ts';
import { threadOfRows } from '../thread/threads.ts';
import { shortVisit, switchThreads } from '../thread/visit.ts';
import type { Comparison } from './comparison.ts';
import type { OtherCommit } from './other-commit.ts';

const ROUNDS = 4;
const ROWS = [300, 1_000];
const MEGABYTE = 1_000_000;

/** Compares how long threads take to open and to switch, and how fast they are while an answer streams. */
export async function compare({ folder }: OtherCommit, comparison: Comparison): Promise<void> {
  const benches = {
    before: await TestBench.start({ LOG_LEVEL: 'warn' }, folder),
    here: await TestBench.start({ LOG_LEVEL: 'warn' }, ROOT),
  };
  const browser = await chromium.launch(launchOptions());
  const armOf = (side: keyof typeof benches) => ({ url: benches[side].url, bench: benches[side], browser });
  try {
    for (const rows of ROWS)
      await comparison.rounds({ count: ROUNDS, warmUp: rows === ROWS[0] ? 1 : 0 }, async (side) => {
        const { load, heapBytes, keys } = await shortVisit(armOf(side), threadOfRows(rows));
        return {
          [`opening ${rows} rows, ms`]: load,
          [`heap with ${rows} rows, MB`]: heapBytes / MEGABYTE,
          [`key to paint while streaming, ${rows} rows, ms`]: median(keys),
        };
      });
    await comparison.rounds({ count: 2 }, async (side) => {
      const switches = await switchThreads(armOf(side), [threadOfRows(300), threadOfRows(300)]);
      return { 'switching threads of 300 rows, ms': median(switches.map(({ ms }) => ms)) };
    });
  } finally {
    await browser.close();
    await benches.before.stop();
    await benches.here.stop();
  }
}
