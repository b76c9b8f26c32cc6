/** The context size, in tokens, that is assumed for a model whose own is unknown (rule R16). */
export const UNKNOWN_CONTEXT_TOKENS = 8_000;

/** The number of ASCII characters that are counted as one token. */
export const ASCII_CHARACTERS_PER_TOKEN = 3.5;

/**
 * A conservative estimate of a text's tokens without the model's tokenizer: one token for 3.5 ASCII characters, and one for
 * each UTF-16 code unit that is not ASCII, which suits Chinese and characters outside the BMP.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 128) ascii++;
  return Math.ceil(ascii / ASCII_CHARACTERS_PER_TOKEN) + (text.length - ascii);
}
