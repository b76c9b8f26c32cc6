import type { ToolCallingMode } from '#lib/messages/message.ts';

/** What bounds a turn. The server reads these from its environment. */
export interface AgentLimits {
  /** Model calls per turn. On the last one, the model is told to answer without tools (rule R14). */
  maxSteps: number;
  /** The share of the prompt's budget that a single result may take (rule R8). */
  resultShare: number;
  /** The longest reply of one step, in characters, including reasoning and arguments. */
  replyMaxChars: number;
  /** How often a request that failed in a passing way is repeated. */
  maxRetries: number;
}

/** How often an empty reply is asked for again before the step fails. */
export const EMPTY_REPLY_RETRIES = 1;

/** How many times in a row a model is asked again if its call could not be read. */
export const MAX_CORRECTIONS = 2;

/** How far to shrink the prompt, relative to the last one, when a provider says that the context is too long. */
export const SHRINK = 0.6;

/** The same if the provider names its window, which also limits the prompt. */
export const SHRINK_KNOWN = 0.9;

/** How often a step is repeated within a smaller window because a server has left out a part of its prompt. */
export const SMALLER_WINDOWS_MAX = 2;

/** `auto` gives up native tools after this many steps with calls in text, of this many latest ones. */
export const CALLS_IN_TEXT = { steps: 2, of: 3 } as const;

/**
 * How many times in a row the same calls may have the same results before the model is told to answer. Models that get
 * their tools in the prompt are weaker, and hardly ever stop by themselves.
 */
export const SAME_STEPS: Readonly<Record<ToolCallingMode, number>> = { native: 3, prompted: 2 };

/** After this many answers in a row to questions that name a path, all without a call, the user is told. */
export const PROSE_TURNS = 3;
