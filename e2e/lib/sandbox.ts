import { expect, type Page } from '@playwright/test';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { TestBench } from './bench.ts';
import { readTurns } from './storage.ts';
import type { StudioPage } from './studio-page.ts';

/** Code, optionally with its own time limit in seconds. */
export type Piece = string | { code: string; timeout: number };

/**
 * Lets the model run pieces of code one after the other in one session of the open thread. Returns what the model got
 * for each: the text of the result, or the code and message of the error, separated by a colon.
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
  const calls = pieces.map((piece) => ({
    name: 'browser_js_eval',
    arguments: JSON.stringify(typeof piece === 'string' ? { code: piece } : piece),
  }));
  bench.model.script(question, [{ calls }, { text: 'All of it was run.' }]);
  await studio.say(question);
  if (reader === undefined) await studio.settled(before + 1, { whenAsked: 'allow', timeout });
  else await expect.poll(async () => (await turns())[before]?.status.type, { timeout }).toBe('done');
  const parts = (await turns()).at(-1)?.parts ?? [];
  return parts.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { result } = part;
    if (result === undefined) return ['no result'];
    return [result.type === 'tool-result' ? resultContent(result) : `${result.code}: ${result.message}`];
  });
}
