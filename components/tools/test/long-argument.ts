import { expect } from 'vitest';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

/** Returns the text that is shown of a call's arguments while the model writes them. */
const shownText = (): string | undefined =>
  document.querySelector('[role="group"][data-state="writing"] pre')?.textContent ?? undefined;

/** Waits until `shownText` differs from `text`, at most 300 ms: some pieces, such as the last one, change nothing. */
async function untilChanged(text: string | undefined): Promise<void> {
  await expect
    .poll(shownText, { interval: 10, timeout: 300 })
    .not.toBe(text)
    .catch(() => undefined);
}

/** Source code of at least so many bytes. */
export const source = (bytes: number): string => {
  const lines: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) {
    lines.push(`export const value${n} = ${n};`);
    size += (lines.at(-1)?.length ?? 0) + 1;
  }
  return `${lines.join('\n')}\n`;
};

/** The number of characters of a call that the model writes at a time. */
const PIECE = 150;

/** Checks that a long argument is shown at many lengths while the model writes it. */
export async function expectShownWhileWritten(studio: StudioPage, mode: 'native' | 'prompted'): Promise<void> {
  const question = prompt('Write a long file');
  const content = source(12_000);
  const call = writeCall('/long.ts', content);
  const prompted = JSON.stringify({ tool_calls: [{ id: 'x', type: 'function', function: call[0] }] });
  await model.script(question, [
    { calls: call, prompted, piece: PIECE, pace: question },
    { text: 'Written.', prompted: 'Written.' },
  ]);
  await studio.open({ toolCalling: mode });
  await studio.say(question);
  // Of a long argument, only the end is shown.
  const texts = new Set<string>();
  for (let piece = 0; piece * PIECE < prompted.length; piece++) {
    const before = shownText();
    await model.open(`${question} ${piece}`);
    await untilChanged(before);
    texts.add(shownText() ?? '');
  }
  await studio.settled();
  expect(texts.size).toBeGreaterThanOrEqual(50);
  expect((await studio.workspace()).get('/long.ts')).toBe(content);
}
