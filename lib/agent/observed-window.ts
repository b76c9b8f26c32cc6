import type { Message, Notice } from '#lib/messages/message.ts';
import type { AgentModel } from './agent-model.ts';
import { WINDOW_MIN } from './too-long.ts';

/** Says which window a server was seen to keep to. */
export type WindowNotice = Extract<Notice, { code: 'window-learned' }>;

/**
 * What is known of a model's window in a turn: less than is claimed, if its server took less in an earlier step of it.
 * From one turn to the next, whoever runs the agent remembers that.
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

/** What is claimed of a model's window; null if nothing is. */
export const claimedBy = ({
  contextSize,
  claimedContextSize = contextSize,
}: Pick<AgentModel, 'contextSize' | 'claimedContextSize'>): number | null => claimedContextSize ?? null;

/** A window as the studio uses it. */
export const usableWindow = (tokens: number): number => Math.max(WINDOW_MIN, Math.floor(tokens));
