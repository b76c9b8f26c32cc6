import { roundedNumber } from '#lib/base/rounded-number.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { inexactMessage } from '#lib/tools/execution/prepare-call.ts';

/**
 * Returns the chunk of a complete call unchanged or, if the arguments' text has an integer that JavaScript cannot hold exactly,
 * an error chunk in its place: the call then does not run, and the model is told which number it is. `turn`: contains the
 * arguments' text.
 */
export function exactCall(
  turn: AssistantMessage,
  call: Extract<StudioChunk, { type: 'tool-input-available' }>,
): StudioChunk {
  const { toolCallId, toolName } = call;
  const written = turn.parts.findLast((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
  const text = written?.type === 'tool-call' ? (written.inputText ?? '') : '';
  const number = roundedNumber(text);
  if (number === undefined) return call;
  return { type: 'tool-input-error', toolCallId, toolName, input: text, errorText: inexactMessage(number) };
}
