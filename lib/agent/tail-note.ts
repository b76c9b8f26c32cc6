import type { ModelMessage, ToolResultPart } from 'ai';
import type { PromptSettings } from '#lib/messages/message.ts';
import { OWN_TEXT } from './middleware/inert-text.ts';

/**
 * Returns the text that tells the model, in the last step of a turn, to answer without tools (rule R14); empty in any other
 * step. It gives the reason: the turn repeats the same calls (`repeats`), or has used all its steps.
 */
export function lastStepText({ lastStep, repeats }: Pick<PromptSettings, 'lastStep' | 'repeats'>): string {
  if (!lastStep) return '';
  const reason =
    repeats === true
      ? 'You keep making the same calls, and they bring nothing new.'
      : 'You have used all the steps of this turn.';
  return `${reason} Do not call any more tools. Answer the user with what you have, and say what is left to do.`;
}

/**
 * Adds a note to the end of a prompt, so that the prompt's beginning stays as it was; adds nothing if `note` is empty. After
 * results, the note becomes a part of the last result, because some templates accept only the model's own reply there;
 * otherwise, a part of the last user message or a new one.
 */
export function withTailNote(messages: readonly ModelMessage[], note: string): ModelMessage[] {
  const last = messages.at(-1);
  if (note === '' || last === undefined) return [...messages];
  const before = messages.slice(0, -1);
  if (last.role === 'tool') {
    const result = last.content.at(-1);
    if (result?.type === 'tool-result') {
      const noted = { ...result, output: withNote(result.output, `[Note: ${note}]`) };
      return [...before, { ...last, content: [...last.content.slice(0, -1), noted] }];
    }
  }
  const part = { type: 'text', text: note, providerOptions: OWN_TEXT } as const;
  if (last.role === 'user' && typeof last.content !== 'string')
    return [...before, { ...last, content: [...last.content, part] }];
  return [...messages, { role: 'user', content: [part] }];
}

function withNote(output: ToolResultPart['output'], note: string): ToolResultPart['output'] {
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: `${output.value}\n\n${note}` };
  if (output.type === 'content') return { ...output, value: [...output.value, { type: 'text', text: note }] };
  return output;
}
