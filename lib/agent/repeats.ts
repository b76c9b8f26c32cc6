import type { AssistantMessage, ToolCallingMode, ToolCallPart } from '#lib/messages/message.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { SAME_STEPS } from './limits.ts';

/** The number of steps in the longest series whose repetition is noticed, such as reading and writing in turn. */
const LONGEST_SERIES = 2;

/**
 * Returns the call that a turn keeps repeating, or the first one of several; undefined if it repeats none. A turn repeats calls
 * if its last steps made the same ones with the same results, as often as `SAME_STEPS` allows, so that another try would bring
 * nothing new. Two steps that take turns count, too.
 */
export function repeatedCall({ parts }: AssistantMessage, mode: ToolCallingMode): ToolCallPart | undefined {
  const steps: ToolCallPart[][] = [];
  for (const part of parts) {
    if (part.type === 'step') steps.push([]);
    else if (part.type === 'tool-call') steps.at(-1)?.push(part);
  }
  const latest = steps.slice(-LONGEST_SERIES * SAME_STEPS[mode]).map(whatHappened);
  for (let length = 1; length <= LONGEST_SERIES; length++) {
    const series = latest.slice(-length);
    const before = latest.slice(-length * SAME_STEPS[mode]);
    const isSame = (step: string, index: number) => step !== '' && step === series[index % length];
    if (before.length === length * SAME_STEPS[mode] && before.every(isSame)) return steps.at(-1)?.[0];
  }
  return undefined;
}

/** The calls of a step with their results, as text to compare; empty if it made none. */
const whatHappened = (calls: readonly ToolCallPart[]): string =>
  calls.length === 0
    ? ''
    : JSON.stringify(
        calls.map(({ toolName, input, inputText, result }) => [
          toolName,
          input ?? inputText,
          result === undefined ? null : resultContent(result),
        ]),
      );
