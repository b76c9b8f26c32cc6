import type { Author } from './file-system.ts';
import { FENCES_MAX } from './limits.ts';

/**
 * A list of calls, each with an executor (`claimant`) that may no longer commit for the call, because another one has taken
 * it over; newest last.
 */
export type Fences = readonly [toolCallId: string, claimant: string][];

/**
 * Returns a list of fences with one added: `claimant` may no longer commit for the call. Beyond `FENCES_MAX`, the oldest
 * fences, whose calls ended long ago, are dropped.
 */
export const withFence = (fences: Fences, toolCallId: string, claimant: string): Fences =>
  [
    ...fences.filter(([id, other]) => id !== toolCallId || other !== claimant),
    [toolCallId, claimant] as [string, string],
  ].slice(-FENCES_MAX);

/**
 * Checks whether the author of a commit is an executor (`claimant`) whose call another one has taken over, so that the
 * commit is refused.
 */
export const isFencedOff = (fences: Fences, author: Author): boolean =>
  author.type === 'call' && fences.some(([id, claimant]) => id === author.toolCallId && claimant === author.claimant);
