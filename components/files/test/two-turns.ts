import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { prompt, replaceTurns, writeCall } from '#e2e/lib/prompt.ts';

/** Restores the files as they were at the n-th message of one kind, counted from 0. */
export const restoreFilesAt = async (studio: StudioPage, name: 'You' | 'Assistant', index: number) => {
  const message = page.getByRole('article', { name }).nth(index);
  if (name === 'Assistant') return studio.chooseAction('Restore files to this point', message);
  await message.hover();
  await message.getByRole('button', { name: 'Restore files to this point' }).click();
};

/** Two turns that write `/a.txt`, and an alternative answer to the second message that writes `/b.txt`. */
export async function scripts() {
  const [first, second, edited] = [prompt('Write one'), prompt('Write two'), prompt('Write another')];
  await model.script(first, [...replaceTurns('/a.txt', 'one'), { text: 'One.' }]);
  await model.script(second, [{ calls: writeCall('/a.txt', 'two') }, { text: 'Two.' }]);
  await model.script(edited, [{ calls: writeCall('/b.txt', 'right') }, { text: 'Another.' }]);
  return { first, second, edited };
}

/** Sends the first two messages, and waits for their answers. */
export async function playTwoTurns(studio: StudioPage, first: string, second: string): Promise<void> {
  await studio.say(first);
  await studio.settled(1);
  await studio.say(second);
  await studio.settled(2);
}

/** Waits until the workspace has these files, by path. */
export const expectFiles = (studio: StudioPage, files: Record<string, string>) =>
  expect.poll(async () => Object.fromEntries(await studio.workspace())).toEqual(files);
