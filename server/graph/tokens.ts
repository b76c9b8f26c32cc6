/** What an unknown model is taken to hold (rule R16). */
export const UNKNOWN_CONTEXT_TOKENS = 8_000;

/** Where the tools at length took more of a prompt than this, they are told of in few words, unless the configuration says otherwise. */
export const COMPACT_ABOVE_SHARE = 0.25;

/** What an image is counted as; providers differ, and none takes much more for one picture. */
export const IMAGE_TOKENS = 1_200;

/** Share of the context kept free for the answer, unless the model's configuration limits it lower. */
const ANSWER_SHARE = 0.25;
const ANSWER_MAX_TOKENS = 8_192;

const ASCII_CHARACTERS_PER_TOKEN = 3.5;

/**
 * A cautious estimate of a text's tokens, without the model's tokenizer: 3.5 ASCII characters a token, and one token
 * for every other UTF-16 unit, as Chinese and code points outside the common pages come to.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 128) ascii++;
  return Math.ceil(ascii / ASCII_CHARACTERS_PER_TOKEN) + (text.length - ascii);
}

/** Tokens a prompt may take of a context, the answer's share kept free. */
export function promptBudget(contextSize: number | undefined, maxOutputTokens: number | undefined): number {
  const context = contextSize ?? UNKNOWN_CONTEXT_TOKENS;
  const answer = Math.min(maxOutputTokens ?? ANSWER_MAX_TOKENS, Math.floor(context * ANSWER_SHARE));
  return context - answer;
}
