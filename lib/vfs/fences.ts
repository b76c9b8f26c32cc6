import type { Author } from './file-system.ts';
import { FENCES_MAX } from './limits.ts';

/** The claimants that may no longer commit for a call, because another one took it over from them; newest last. */
export type Fences = readonly [toolCallId: string, claimant: string][];

/**
 * Returns the list with a fence added as its newest. Beyond `FENCES_MAX`, the oldest are dropped; their calls ended long ago.
 */
export const withFence = (fences: Fences, toolCallId: string, claimant: string): Fences =>
  [
    ...fences.filter(([id, other]) => id !== toolCallId || other !== claimant),
    [toolCallId, claimant] as [string, string],
  ].slice(-FENCES_MAX);

/** Checks whether a commit comes from a claimant whose call has been taken over by another. */
export const isFencedOff = (fences: Fences, author: Author): boolean =>
  author.type === 'call' && fences.some(([id, claimant]) => id === author.toolCallId && claimant === author.claimant);
