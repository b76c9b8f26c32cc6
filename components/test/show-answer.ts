import { prompt } from '#e2e/lib/prompt.ts';
import { model } from './model.ts';
import type { StudioPage } from './studio-page.tsx';

/** Opens the studio with these files, and shows an answer with this text in a new thread. */
export async function showAnswer(studio: StudioPage, text: string, files: Record<string, string> = {}): Promise<void> {
  const question = prompt('Answer, please');
  await model.script(question, [{ text }]);
  await studio.open({ files });
  await studio.say(question);
  await studio.settled();
}
