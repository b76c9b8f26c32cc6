import type { Author } from './file-system.ts';
import { FENCES_MAX } from './limits.ts';

/** Who may commit for a call, the newest last: calls that one claimant has taken over from another. */
export type Fences = readonly [toolCallId: string, claimant: string][];

/** The fences with one more. Of very many the oldest go, whose calls have long ended. */
export const withFence = (fences: Fences, toolCallId: string, claimant: string): Fences =>
  [...fences.filter(([id]) => id !== toolCallId), [toolCallId, claimant] as [string, string]].slice(-FENCES_MAX);

/** Whether a commit comes from a claimant whose call somebody else has taken over. */
export const isFencedOff = (fences: Fences, author: Author): boolean =>
  author.type === 'call' &&
  author.claimant !== undefined &&
  fences.some(([id, claimant]) => id === author.toolCallId && claimant !== author.claimant);
