import { roundedNumber } from '#lib/base/rounded-number.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { inexactMessage } from '#lib/tools/execution/prepare-call.ts';

/**
 * A call whose arguments have arrived: as it is, or as one that is not run if a number in the arguments' text would change. The
 * model is told which. `turn`: with that text.
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
