import { prompt } from '#e2e/lib/prompt.ts';
import { model } from './model.ts';
import type { StudioPage } from './studio-page.tsx';

/** Sends a message that the model answers with one call, without waiting for the answer. Returns the message. */
export async function askForCall(studio: StudioPage, name: string, input: object = {}): Promise<string> {
  const question = prompt(`Call ${name}`);
  await model.script(question, [{ calls: [{ name, arguments: JSON.stringify(input) }] }, { text: 'Called.' }]);
  await studio.say(question);
  return question;
}

/** Returns the result that the model got for the last call that it made for a question. */
export async function resultOf(question: string): Promise<unknown> {
  const last = (await model.requestsFor(question)).at(-1);
  return last?.messages.findLast(({ role }) => role === 'tool')?.content;
}
