import type { Message, StepPart } from '#lib/messages/message.ts';

/**
 * Returns the newest step, which is a request to the model, in the messages of a branch. Only steps count for which the
 * model has reported its tokens; undefined if there is none.
 */
export function latestStep(branch: readonly Message[]): StepPart | undefined {
  for (const message of branch.toReversed()) {
    if (message.role !== 'assistant') continue;
    const step = message.parts.findLast((part) => part.type === 'step' && part.usage !== undefined);
    if (step?.type === 'step') return step;
  }
  return undefined;
}
