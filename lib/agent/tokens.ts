import type { LanguageModelUsage } from 'ai';
import { defined } from '#lib/base/defined.ts';
import { UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import type { PromptSettings, Usage } from '#lib/messages/message.ts';

/**
 * The share of a prompt's room that descriptions of the tools may take. If full ones would take more, compact ones replace
 * them, unless configured otherwise; if those would, too, only the main tools are described.
 */
export const COMPACT_ABOVE_SHARE = 0.25;

/** The assumed size of an image, in tokens. Providers differ, but none counts much more. */
export const IMAGE_TOKENS = 1_200;

/** The largest share of the context that may be reserved for the answer. */
const ANSWER_SHARE = 0.25;
/** The maximum number of tokens that may be reserved for the answer, unless the model's configuration limits the answer. */
const ANSWER_MAX_TOKENS = 8_192;

/**
 * Returns the number of tokens that a prompt may use: the model's context size, or `UNKNOWN_CONTEXT_TOKENS`, without the tokens
 * reserved for the answer. These are `maxOutputTokens`, or `ANSWER_MAX_TOKENS` if it is undefined, but at most the share
 * `ANSWER_SHARE` of the context.
 */
export function promptBudget(contextSize: number | undefined, maxOutputTokens: number | undefined): number {
  const context = contextSize ?? UNKNOWN_CONTEXT_TOKENS;
  const answer = Math.min(maxOutputTokens ?? ANSWER_MAX_TOKENS, Math.floor(context * ANSWER_SHARE));
  return context - answer;
}

/** The share of a prompt's budget that is left out of the history at a time. */
const STRIDE_SHARE = 0.25;

/**
 * Returns the settings of a step that limit its prompt: its room in tokens (`budgetTokens`, as given), and how many tokens of
 * the history are left out at a time if it does not fit (`strideTokens`, a fixed share of the room).
 */
export const roomSettings = (budgetTokens: number): Pick<PromptSettings, 'budgetTokens' | 'strideTokens'> => ({
  budgetTokens,
  strideTokens: Math.max(1, Math.floor(budgetTokens * STRIDE_SHARE)),
});

/** The tokens that a message takes besides its text: for its role, its beginning, and its end. */
export const MESSAGE_TOKENS = 4;

/**
 * Converts the token counts that a provider reported, as the AI SDK has them, to the form in which a step stores them. Counts
 * that were not reported are left out, and those of cached tokens also if they are 0.
 */
export function countedTokens({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage): Usage {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
  return {
    ...defined({ inputTokens, outputTokens }),
    ...(cacheReadTokens > 0 && { cachedInputTokens: cacheReadTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
}
