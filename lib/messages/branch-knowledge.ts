import type { KnownFile } from '#lib/tools/execution/known-files.ts';
import type { Message } from './message.ts';

/**
 * Returns the hash of the file content that the model last read or wrote at a path on a branch; undefined if it did neither.
 * Content that the current step has read, or was shown in an error, does not count: the model wrote the step's calls before it
 * saw their results. `isReading`: returns whether the tool of this name only reads files.
 */
export function lastKnownHash(
  branch: readonly Message[],
  path: string,
  isReading: (toolName: string) => boolean,
): string | undefined {
  for (const files of knownFiles(branch, isReading)) {
    const known = files.findLast((file) => file.path === path);
    if (known !== undefined) return known.hash;
  }
  return undefined;
}

/**
 * Checks whether the model has read or written content with this hash, at any path, on a branch. As with `lastKnownHash`,
 * content that the current step has read does not count, and `isReading` returns whether the tool of a name only reads files.
 */
export function hasSeen(branch: readonly Message[], hash: string, isReading: (toolName: string) => boolean): boolean {
  for (const files of knownFiles(branch, isReading)) if (files.some((file) => file.hash === hash)) return true;
  return false;
}

/**
 * Yields the files that each call of a branch has made known, newest call first. Leaves out those that do not count, as
 * `lastKnownHash` says.
 */
function* knownFiles(
  branch: readonly Message[],
  isReading: (toolName: string) => boolean,
): Generator<readonly KnownFile[]> {
  let isThisStep = true;
  for (const message of branch.toReversed()) {
    if (message.role === 'assistant')
      for (const part of message.parts.toReversed()) {
        if (part.type === 'step') isThisStep = false;
        if (part.type !== 'tool-call' || (isThisStep && isReading(part.toolName))) continue;
        const { files } = part.result ?? {};
        if (files !== undefined) yield isThisStep ? files.filter(({ shown }) => shown !== true) : files;
      }
    isThisStep = false;
  }
}
