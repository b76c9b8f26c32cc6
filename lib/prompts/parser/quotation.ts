import { PARSER_LIMITS } from '../limits.ts';
import type { Reading, Source } from '../source.ts';

/**
 * Checks whether `closing`, the end of a quotation or of inline code, follows on this line or directly after its line break.
 * Advances the source; the caller rewinds it.
 */
export function* closesQuotation(source: Source, closing: string): Reading<boolean> {
  const start = source.hold();
  yield* source.skipSpace(PARSER_LIMITS.space);
  if (yield* source.accept(closing)) return true;
  source.rewind(start);
  for (let length = 0; length < PARSER_LIMITS.quotation; length++) {
    if (yield* source.accept(closing)) return true;
    if (['', '\n'].includes(yield* source.peek())) return false;
    source.at++;
  }
  return false;
}
