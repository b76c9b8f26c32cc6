import { test } from 'vitest';
import { CliBench } from '../lib/cli-bench.ts';
import { killTurns } from '../lib/killed-turns.ts';

const KILLS = 25;

test.concurrent.for([1, 2])(
  `[R1] [R3] turns that are killed ${KILLS} times lose nothing, run nothing twice, and can be undone (%i)`,
  { timeout: 240_000 },
  async (seed, { onTestFinished }) => {
    const bench = await CliBench.start();
    onTestFinished(() => bench.stop());
    await killTurns(bench, { seed, kills: KILLS });
  },
);
