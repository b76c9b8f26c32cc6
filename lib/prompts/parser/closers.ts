import { closesCalls } from '../grammars/call-tags.ts';
import { readTag } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { REASONING } from '../markers.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';
import type { Prose } from './prose.ts';
import type { Thoughts } from './thoughts.ts';

/**
 * Reads closing tags that stand outside of any call or reasoning. Those that belong to a call or to reasoning are not shown;
 * any other is text. Counts the open `<s>` elements, because `</s>` is also a template's token.
 */
export class Closers {
  readonly #reply: Reply;
  readonly #prose: Prose;
  readonly #thoughts: Thoughts;
  /** Open `<s>` elements (strikethrough), whose closing tag looks like a template's end token. */
  #strikes = 0;

  constructor(reply: Reply, prose: Prose, thoughts: Thoughts) {
    this.#reply = reply;
    this.#prose = prose;
    this.#thoughts = thoughts;
  }

  /**
   * Reads a closing tag that is not shown: one of a call or of reasoning, or a `</s>` without its `<s>` at the end of the
   * reply. Returns false, with nothing read, for any other.
   */
  *read(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    const isProtocol =
      tag !== undefined &&
      ((closesCalls(this.#reply, tag) && (this.#prose.isBehindCall || (yield* this.#closesEarlierCall()))) ||
        (REASONING.has(`<${tag.name}>`) && (yield* this.#thoughts.closesHere())) ||
        (tag.name === 's' && this.#strikes-- <= 0 && (yield* source.skipSpace(PARSER_LIMITS.space)) === ''));
    if (isProtocol) source.release(start);
    else source.rewind(start);
    return isProtocol;
  }

  /** Counts an opening `<s>`, if one comes next, and leaves it to be read as text. */
  *countStrike(): Reading<false> {
    if (yield* this.#reply.source.sees('<s>')) this.#strikes++;
    return false;
  }

  /** Checks whether a closing tag is alone on its line and closes an earlier call, with text in between. */
  *#closesEarlierCall(): Reading<boolean> {
    const { source, output } = this.#reply;
    return this.#prose.position.atLineStart && output.calls > 0 && ['', '\n', '\r'].includes(yield* source.peek());
  }
}
