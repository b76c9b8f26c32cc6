import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ROOT } from '#scripts/lib/run.ts';
import { openBenchSite } from '../lib/bench-site.ts';
import { type Comparison, inTurn } from './comparison.ts';
import type { OtherCommit } from './other-commit.ts';
import type { StepName } from './vfs/page.ts';

const ROUNDS = 31;
const WARM_UP = 2;
/** In this order, each on what the steps before it have left. */
const STEPS: readonly StepName[] = ['create', 'read', 'overwrite', 'rename', 'restore', 'search', 'open'];

/** Compares how long the workspace takes for its files. */
export async function compare({ folder }: OtherCommit, comparison: Comparison): Promise<void> {
  const sites = {
    before: await openBenchSite(join(folder, 'bench/against/vfs')),
    here: await openBenchSite(join(ROOT, 'bench/against/vfs')),
  };
  try {
    const pages: Record<keyof typeof sites, Page> = {
      before: await sites.before.context.newPage(),
      here: await sites.here.context.newPage(),
    };
    for (const side of ['before', 'here'] as const) await pages[side].goto(sites[side].url);
    for (let round = 0; round < WARM_UP + ROUNDS; round++)
      for (const step of STEPS) {
        const pair = await inTurn(round, async (side) => ({
          [`${step}, ms`]: await pages[side].evaluate(([name, index]) => window.runStep(name, index), [
            step,
            round,
          ] as const),
        }));
        if (round >= WARM_UP) comparison.add(pair);
      }
  } finally {
    await sites.before.close();
    await sites.here.close();
  }
}
