import type { ToolCallingMode } from '#lib/messages/message.ts';

/** The limits of a turn. The server reads them from its environment. */
export interface AgentLimits {
  /** The maximum number of model calls in a turn. On the last one, the model is told to answer without tools (rule R14). */
  maxSteps: number;
  /** The share of the prompt's budget that a single result may take (rule R8). */
  resultShare: number;
  /**
   * The maximum length of one step's reply, in characters, including reasoning and arguments. A step with a longer reply fails.
   */
  replyMaxChars: number;
  /** The maximum number of retries of a request after temporary failures. */
  maxRetries: number;
}

/**
 * The number of retries after an empty reply. If the last reply is empty, too, its thoughts become the answer; without any, the
 * step fails.
 */
export const EMPTY_REPLY_RETRIES = 1;

/** The maximum number of times in a row that a model is asked again because its call could not be read. */
export const MAX_CORRECTIONS = 2;

/**
 * The size of the next prompt, as a share of the last one, if a provider says that the context is too long but does not name
 * a smaller window than is known.
 */
export const REFUSED_PROMPT_SHARE = 0.6;

/**
 * The largest size of the next prompt, as a share of the last one, if a provider says that the context is too long and names
 * a smaller window than was known. The next prompt must fit into that window, too.
 */
export const REFUSED_PROMPT_SHARE_KNOWN = 0.9;

/**
 * The maximum number of times that a step is repeated within a smaller window because a server has left out a part of
 * its prompt.
 */
export const SMALLER_WINDOWS_MAX = 2;

/**
 * With tool calling `auto`, a model's native tools are given up for prompted ones once `steps` of its latest `of` steps
 * wrote their calls as text.
 */
export const CALLS_IN_TEXT = { steps: 2, of: 3 } as const;

/**
 * The number of times in a row that the same calls may have the same results before the model is told to answer. Models
 * that get their tools in the prompt are weaker, and hardly ever stop by themselves.
 */
export const SAME_STEPS: Readonly<Record<ToolCallingMode, number>> = { native: 3, prompted: 2 };

/**
 * The number of answers in a row to questions that name a path, all without a call, after which a notice tells the user that
 * the model calls no tools.
 */
export const PROSE_TURNS = 3;
