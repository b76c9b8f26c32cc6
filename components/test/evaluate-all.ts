import { evaluationsOf, outcomesOf, type Piece } from '#e2e/lib/evaluations.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { model } from './model.ts';
import type { StudioPage } from './studio-page.tsx';

/**
 * Lets the model run pieces of code one after the other in one session of the open thread. Returns what the model got
 * for each, as `outcomesOf` does.
 */
export async function evaluateAll(studio: StudioPage, pieces: readonly Piece[]): Promise<string[]> {
  const before = (await studio.turns()).length;
  const question = prompt(`Run ${pieces.length} pieces of code`);
  await model.script(question, [{ calls: evaluationsOf(pieces) }, { text: 'All of it was run.' }]);
  await studio.say(question);
  await studio.settled(before + 1, { whenAsked: 'allow', timeout: 60_000 });
  return outcomesOf((await studio.turns()).at(-1));
}
