import { UNKNOWN_CONTEXT_TOKENS } from '#lib/base/estimate-tokens.ts';
import type { Reply } from './ask.ts';
import { seenShareOfPrompt } from './probes.ts';

/** The smallest window that a model can be used with, in tokens. */
const LEAST_WINDOW_TOKENS = 512;

/** The least share of the expected tokens that is counted for a prompt that arrives whole. */
const WHOLE_SHARE = 0.9;

/** A long prompt that was sent, and the reply to it. */
interface LongPrompt {
  prompt: string;
  reply: Pick<Reply, 'text' | 'inputTokens'>;
  /** The maximum length of the prompt, in tokens. */
  tokens: number;
  /** The window that the endpoint claims, in tokens; undefined if it claims none. */
  claimed: number | undefined;
  /** The number of characters of plain English that the endpoint counts as a token; undefined if it does not count. */
  charactersPerToken: number | undefined;
}

/**
 * Finds out how much of the prompt of `needlePrompt`, made for `tokens` tokens, a model has seen, from its reply and from the
 * endpoint's count of the prompt (`reply.inputTokens`). `reached`: it named the first code word, so it has seen everything;
 * `value` is the count if the endpoint claims no window, and the count is larger than `UNKNOWN_CONTEXT_TOKENS`. `cut`: it has
 * seen only `value` tokens, as the endpoint counted or, if it does not count, by the code word that it named. `unknown`:
 * neither can be told.
 */
export function windowSeen({ prompt, reply, tokens, claimed, charactersPerToken }: LongPrompt): {
  code: 'reached' | 'cut' | 'unknown';
  value?: number;
} {
  const seen = seenShareOfPrompt(reply.text);
  const counted = reply.inputTokens ?? 0;
  if (seen === 1)
    return claimed === undefined && counted > UNKNOWN_CONTEXT_TOKENS
      ? { code: 'reached', value: counted }
      : { code: 'reached' };
  const expected = charactersPerToken === undefined ? 0 : prompt.length / charactersPerToken;
  if (counted >= LEAST_WINDOW_TOKENS && counted < expected * WHOLE_SHARE) return { code: 'cut', value: counted };
  const seenTokens = Math.floor(tokens * (seen ?? 0));
  return counted === 0 && seenTokens >= LEAST_WINDOW_TOKENS ? { code: 'cut', value: seenTokens } : { code: 'unknown' };
}

/**
 * Returns the context window, in tokens, that an endpoint names in the message with which it refuses a longer prompt: the
 * smallest if it names several. Undefined if it names none.
 */
export function limitIn(detail: string): number | undefined {
  const named = detail.matchAll(
    /(?:maximum context length is|context (?:length|size|window)(?: of| is)?|n_ctx)\W{0,5}(\d[\d,]{2,8})/gi,
  );
  const limits = Array.from(named, ([, limit = '']) => Number(limit.replaceAll(',', '')));
  const usable = limits.filter((limit) => limit >= LEAST_WINDOW_TOKENS);
  return usable.length === 0 ? undefined : Math.min(...usable);
}
