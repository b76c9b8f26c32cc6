import type { AgentModel } from '#lib/agent/agent-model.ts';
import { callModel } from '#lib/agent/call-model.ts';
import { StepError } from '#lib/agent/problems.ts';
import { startOf } from '#lib/base/cut-text.ts';
import { TITLE_MAX_CHARACTERS, type TitleRequest } from '#lib/wire/title.ts';

const INSTRUCTIONS =
  'You name conversations. Reply with a title of at most six words, in the language of the conversation. Reply with the title only.';

/** The part of each message of the conversation that the model gets, in characters. */
const EXCERPT_CHARACTERS = 1_000;

/** The maximum length of the reply, in tokens: room for a model that thinks first. */
const MAX_OUTPUT_TOKENS = 500;

/** The part of a reply that is read, thinking included, in characters: far more than `MAX_OUTPUT_TOKENS` allows. */
const REPLY_MAX_CHARACTERS = 20_000;

/** The part of a title's line that is read, decorations included, in characters. */
const LINE_MAX_CHARACTERS = 400;

/**
 * Asks a model for the title of a conversation. Rejects with the provider's error, and with `StepError` `empty-reply` if the
 * model names none.
 */
export async function askForTitle(
  model: AgentModel,
  { question, answer }: Pick<TitleRequest, 'question' | 'answer'>,
  abortSignal: AbortSignal,
): Promise<string> {
  const excerpt = [
    `User: ${question.slice(0, EXCERPT_CHARACTERS)}`,
    `Assistant: ${answer.slice(0, EXCERPT_CHARACTERS)}`,
  ];
  const ending = new AbortController();
  const result = callModel({
    model: { ...model, maxOutputTokens: MAX_OUTPUT_TOKENS },
    prompt: {
      instructions: INSTRUCTIONS,
      messages: [{ role: 'user', content: `${excerpt.join('\n\n')}\n\nWrite the title.` }],
      tools: [],
    },
    settings: { toolCalling: 'native', lastStep: false },
    maxRetries: 0,
    postpones: false,
    abortSignal: AbortSignal.any([abortSignal, ending.signal]),
    onRetry: () => undefined,
    innermost: { specificationVersion: 'v4' },
  });
  let text = '';
  let length = 0;
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if ('text' in part) length += part.text.length;
    if (part.type === 'text-delta') text += part.text;
    if (length > REPLY_MAX_CHARACTERS) break;
  }
  ending.abort();
  const title = titleIn(text);
  if (title === '') throw new StepError('empty-reply', 'The model named no title.');
  return title;
}

/** Returns the first line of a model's reply, without the decorations that models add, cut to the length of a title. */
export function titleIn(text: string): string {
  const line = text.slice(0, REPLY_MAX_CHARACTERS).trimStart().split('\n', 1)[0] ?? '';
  const title = startOf(line, LINE_MAX_CHARACTERS)
    .trim()
    .replace(/^(?:#+|[*_]+)\s*/, '')
    .replace(/^(?:title|标题)\s*[:：]\s*/i, '')
    .replace(/^["'“‘「《*_]+|["'”’」》*_.。]+$/g, '')
    .trim();
  return startOf(title, TITLE_MAX_CHARACTERS).toWellFormed();
}
