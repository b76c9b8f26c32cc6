import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { type StepEnd, unreadableCall } from './step-end.ts';

const partsOfStep = ({ parts }: AssistantMessage) =>
  parts.slice(parts.findLastIndex(({ type }) => type === 'step') + 1);

/**
 * Checks whether a turn's last step has neither text nor a call, so that asking the model again may help. False if the reply
 * was cut off or filtered, or contains a call that could not be read.
 */
export function isEmptyReply(turn: AssistantMessage, end: StepEnd): boolean {
  const said = partsOfStep(turn).some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''),
  );
  return !said && !['length', 'content-filter'].includes(end.finishReason) && unreadableCall(end) === undefined;
}

/** Chunks that add the thoughts of a turn's last step as its answer; none if it has no thoughts. */
export function thoughtAsAnswer(turn: AssistantMessage): StudioChunk[] {
  const thoughts = partsOfStep(turn).flatMap((part) => (part.type === 'reasoning' ? [part.text.trim()] : []));
  const delta = thoughts.filter((text) => text !== '').join('\n\n');
  const id = crypto.randomUUID();
  return delta === ''
    ? []
    : [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta },
        { type: 'text-end', id },
      ];
}
