import { ON_ITS_OWN } from '../forms.ts';
import { closesCalls } from '../grammars/call-tags.ts';
import { readTag, readToken } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { CLOSING_TOKENS } from '../markers.ts';
import { type Opening, openingAt } from '../openings.ts';
import type { Setting } from '../prose-position.ts';
import type { Reply } from '../reply.ts';
import type { Hold, Reading } from '../source.ts';
import type { Prose } from './prose.ts';
import { closesQuotation } from './quotation.ts';

/**
 * Reads calls that a reply only shows, for instance in a quotation, and emits them as text. Nothing inside them is
 * interpreted, and none of them counts as a call.
 */
export class QuotedCalls {
  readonly #reply: Reply;
  readonly #prose: Prose;

  constructor(reply: Reply, prose: Prose) {
    this.#reply = reply;
    this.#prose = prose;
  }

  /**
   * Reads a call at the character that begins it, and emits it as text. Returns false, with nothing read, if there is no call.
   */
  *read({ quotedCalls }: Opening): Reading<boolean> {
    const reply = this.#reply;
    const { source, output } = reply;
    const { calls } = output;
    for (const grammar of quotedCalls) {
      const start = source.hold();
      output.mute();
      reply.isInProse = true;
      yield* reply.attempt(grammar(reply, ON_ITS_OWN));
      reply.isInProse = false;
      output.unmute();
      reply.dropped = '';
      const isCall = output.calls > calls;
      output.calls = calls;
      if (isCall) {
        yield* this.#skipClosers();
        const shown = source.since(start);
        source.release(start);
        this.#prose.quote(shown);
        return true;
      }
      source.rewind(start);
    }
    return false;
  }

  /**
   * Returns the text of the call that was just read, with its closing tags, if it turns out to be part of the surrounding
   * prose. Otherwise returns undefined, and nothing more is read.
   */
  *textSince(start: Hold, setting: Setting): Reading<string | undefined> {
    const { source } = this.#reply;
    const end = source.hold();
    yield* this.#skipClosers();
    const behind = source.hold();
    const isShown = yield* typeof setting === 'object'
      ? closesQuotation(source, setting.closing)
      : this.#goesOnInLine();
    source.rewind(behind);
    const shown = isShown ? source.since(start) : undefined;
    if (shown === undefined) source.rewind(end);
    else source.release(end);
    return shown;
  }

  /** Checks whether prose follows on the same line. */
  *#goesOnInLine(): Reading<boolean> {
    if (this.#prose.position.isBehindStop) return false;
    const { source } = this.#reply;
    if (source.isBehindBreak()) return false;
    yield* source.readWhile((character) => /[ \t\]};］】｝]/.test(character), PARSER_LIMITS.space);
    if (yield* source.accept(',')) yield* source.skipSpace(PARSER_LIMITS.space);
    const next = yield* source.peek();
    if (openingAt(next.charCodeAt(0))?.beginsCallsAnywhere === true)
      return (yield* readTag(source))?.isClosing === true;
    return !['', '\n', '\r'].includes(next) && !(yield* source.sees('```'));
  }

  *#skipClosers(): Reading<void> {
    const { source } = this.#reply;
    for (;;) {
      const start = source.hold();
      const isCloser =
        (yield* source.skipSpace(PARSER_LIMITS.space)) === '<' &&
        ((yield* this.#acceptCloser()) || CLOSING_TOKENS.has((yield* readToken(source)) ?? ''));
      if (!isCloser) return source.rewind(start);
      source.release(start);
    }
  }

  *#acceptCloser(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    const isCloser = tag?.isClosing === true && closesCalls(this.#reply, tag);
    if (isCloser) source.release(start);
    else source.rewind(start);
    return isCloser;
  }
}
