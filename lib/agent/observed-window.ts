import type { Message, Notice } from '#lib/messages/message.ts';
import type { AgentModel } from './agent-model.ts';
import { WINDOW_MIN } from './too-long.ts';

/** A notice that tells the user which window a model's server was found to have: it took less than was known or claimed. */
export type WindowNotice = Extract<Notice, { code: 'window-learned' }>;

/**
 * Returns the size of a model's window as far as it is known; undefined if it is not. It is smaller than claimed if the model's
 * server took less in an earlier step of the same turn. From one turn to the next, the caller remembers a smaller size, and
 * passes it as `contextSize`.
 */
export function contextSizeOf(
  messages: readonly Message[],
  { id, contextSize, ...model }: Pick<AgentModel, 'id' | 'contextSize' | 'claimedContextSize'>,
): number | undefined {
  const claimed = claimedBy({ contextSize, ...model });
  const turn = messages.at(-1);
  const observed = (turn?.role === 'assistant' ? turn.parts : [])
    .flatMap((part) => (part.type === 'step' ? part.notices : []))
    .findLast((notice): notice is WindowNotice => notice.code === 'window-learned' && notice.model === id);
  if (observed === undefined || observed.claimed !== claimed) return contextSize;
  return Math.min(usableWindow(observed.window), contextSize ?? Number.POSITIVE_INFINITY);
}

/** Returns the claimed size of a model's window, in tokens, even if a smaller one was observed; null if none is claimed. */
export const claimedBy = ({
  contextSize,
  claimedContextSize = contextSize,
}: Pick<AgentModel, 'contextSize' | 'claimedContextSize'>): number | null => claimedContextSize ?? null;

/** Returns the size of a window as the studio uses it: in whole tokens, at least `WINDOW_MIN`. */
export const usableWindow = (tokens: number): number => Math.max(WINDOW_MIN, Math.floor(tokens));
