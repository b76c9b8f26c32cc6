import type { Message } from '#lib/messages/message.ts';

/**
 * The hash of what the model last read or wrote at a path on a branch; undefined if it did neither. Reads in the
 * current step do not count: the model wrote its calls before it saw their results.
 */
export function lastKnownHash(
  branch: readonly Message[],
  path: string,
  isReading: (toolName: string) => boolean,
): string | undefined {
  let isThisStep = true;
  for (const message of branch.toReversed()) {
    if (message.role === 'assistant')
      for (const part of message.parts.toReversed()) {
        if (part.type === 'step') isThisStep = false;
        if (part.type !== 'tool-call' || (isThisStep && isReading(part.toolName))) continue;
        const known = part.result?.files?.findLast((file) => file.path === path);
        if (known !== undefined) return known.hash;
      }
    isThisStep = false;
  }
  return undefined;
}
