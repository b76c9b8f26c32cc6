import { expect, type Page } from '@playwright/test';
import type { TestBench } from './bench.ts';
import { evaluationsOf, outcomesOf, type Piece } from './evaluations.ts';
import { readTurns } from './storage.ts';
import type { StudioPage } from './studio-page.ts';

/**
 * Lets the model run pieces of code one after the other in one session of the open thread. Returns what the model got
 * for each, as `outcomesOf` does.
 *
 * With a `reader`, a page of the same origin, the results are read there and nothing is clicked, so that the studio's
 * page may be one that Playwright no longer controls. The thread must allow the tool then.
 */
export async function evaluateAll(
  { bench, studio }: { bench: TestBench; studio: StudioPage },
  pieces: readonly Piece[],
  { timeout = 60_000, reader }: { timeout?: number; reader?: Page } = {},
): Promise<string[]> {
  const turns = (): ReturnType<typeof readTurns> => readTurns(reader ?? studio.page, studio.threadId);
  const before = (await turns()).length;
  const question = `Run ${pieces.length} pieces of code, ${before}`;
  bench.model.script(question, [{ calls: evaluationsOf(pieces) }, { text: 'All of it was run.' }]);
  await studio.say(question);
  if (reader === undefined) await studio.settled(before + 1, { whenAsked: 'allow', timeout });
  else await expect.poll(async () => (await turns())[before]?.status.type, { timeout }).toBe('done');
  return outcomesOf((await turns()).at(-1));
}
