import { REASONING, TAG_CLOSINGS } from '../markers.ts';
import type { ProtocolPart } from '../protocol-part.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';
import type { LatestThought } from './latest-thought.ts';
import type { Prose } from './prose.ts';
import { closesQuotation } from './quotation.ts';

/**
 * Reads the reasoning of a reply. Counts the tags opened inside it, and notes whether the reply consists of nothing else.
 * Calls drafted in it are reasoning; only if nothing follows the reasoning, the last ones are made.
 */
export class Thoughts {
  readonly #reply: Reply;
  readonly #prose: Prose;
  readonly #latest: LatestThought;
  #isClosed = false;
  /** Whether the reply began inside reasoning and never left it. */
  #isWholeReply = false;
  /** Number of reasoning tags that were opened inside reasoning: models close them, too. */
  #openInside = 0;

  constructor(reply: Reply, prose: Prose, latest: LatestThought) {
    this.#reply = reply;
    this.#prose = prose;
    this.#latest = latest;
  }

  /** Reads the reasoning that the template opened before the reply. */
  *readOpened(): Reading<void> {
    const { source } = this.#reply;
    yield* source.skipSpace();
    // Some models write the tag although the template already did.
    yield* source.accept('<think>');
    yield* this.readUntil(TAG_CLOSINGS);
    this.#isWholeReply = !this.#isClosed;
  }

  /**
   * Reads reasoning that one of these markers opens; false if none of them comes next. A line break at the end of a marker must
   * be there, but is not read.
   */
  *read(openers: readonly string[]): Reading<boolean> {
    const { source } = this.#reply;
    for (const opener of openers) {
      if (!(yield* source.sees(opener))) continue;
      const marker = opener.trimEnd();
      yield* source.accept(marker);
      const closing = REASONING.get(marker) ?? '';
      return yield* this.readUntil(TAG_CLOSINGS.includes(closing) ? TAG_CLOSINGS : [closing]);
    }
    return false;
  }

  /**
   * Reads reasoning to its end: a marker of `closings`, which is consumed, or of `next`, which begins something else.
   */
  *readUntil(closings: readonly string[], next: readonly string[] = []): Reading<true> {
    const { source, output } = this.#reply;
    const first = (closings[0] ?? '').charAt(0);
    output.separate('reasoning-delta');
    this.#latest.begin();
    this.#isClosed = false;
    /** Whether a backtick on this line is still open. */
    let isInCode = false;
    const think = (piece: string) => {
      const line = piece.slice(piece.lastIndexOf('\n') + 1);
      const hasOpened = line.split('`').length % 2 === 0;
      isInCode = (line.length === piece.length && isInCode) !== hasOpened;
      output.reasoning(piece);
      this.#latest.add(piece);
    };
    for (;;) {
      const at = source.text.indexOf(first, source.at);
      const end = at === -1 ? source.text.length : at;
      if (end > source.at) think(source.text.slice(source.at, end));
      source.at = end;
      if ((yield* source.peek()) === '') break;
      if (source.text.charAt(source.at) !== first) continue;
      let isClosed = false;
      const isCode = isInCode && closings === TAG_CLOSINGS && (yield* this.#isQuotedCloser());
      if (!isCode) for (const closing of closings) isClosed ||= yield* source.accept(closing);
      if (!isClosed && closings === TAG_CLOSINGS && (yield* this.#opensInside())) this.#openInside++;
      for (const marker of next) isClosed ||= yield* source.sees(marker);
      this.#isClosed = isClosed;
      if (isClosed) break;
      if (source.ranOut && closings.some((closing) => closing.startsWith(source.text.slice(source.at)))) {
        source.at = source.text.length;
        break;
      }
      think(first);
      source.at++;
    }
    this.#prose.startLine();
    return true;
  }

  /** Checks whether a closing tag is in inline code that ends after it on the same line. */
  *#isQuotedCloser(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    let isQuoted = false;
    for (const closing of TAG_CLOSINGS) isQuoted ||= yield* source.accept(closing);
    if (isQuoted) isQuoted = yield* closesQuotation(source, '`');
    source.rewind(start);
    return isQuoted;
  }

  *#opensInside(): Reading<boolean> {
    for (const closing of TAG_CLOSINGS) if (yield* this.#reply.source.sees(closing.replace('/', ''))) return true;
    return false;
  }

  /**
   * Checks, after a closing tag of reasoning that is outside of any, whether it matches a tag opened inside reasoning, or is
   * alone on its line.
   */
  *closesHere(): Reading<boolean> {
    if (this.#openInside > 0) return this.#openInside-- > 0;
    // Directly after reasoning, it closes the reasoning a second time.
    if (this.#latest.pieces !== undefined) return true;
    return this.#prose.position.atLineStart && ['', '\n', '\r'].includes(yield* this.#reply.source.peek());
  }

  /**
   * Ends the reply. If nothing has followed the reasoning, emits the last calls drafted in it, if they are complete: the model
   * meant to make them. If there are none and the reply never left the reasoning it began in, emits the reasoning as text,
   * because it is the answer. `parse`: parses text as a reply of its own; without it, drafts do not count.
   */
  end(parse: ((pieces: readonly string[]) => ProtocolPart[]) | undefined): void {
    const { output } = this.#reply;
    const { pieces } = this.#latest;
    if (pieces === undefined) return;
    const drafts = parse === undefined ? [] : lastDrafts(parse(pieces));
    const isCut = drafts.some((part) => part.type === 'tool-call' && part.incomplete);
    if (!isCut) for (const part of drafts) output.emit(part);
    if (drafts.length === 0 && this.#isWholeReply) output.text(pieces.join(''));
  }
}

/** Returns the parts of the calls that come last, with no text in between. */
function lastDrafts(parts: readonly ProtocolPart[]): ProtocolPart[] {
  let drafts: ProtocolPart[] = [];
  let isOver = false;
  for (const part of parts) {
    if (part.type === 'text-delta') isOver ||= part.delta.trim() !== '';
    else if (part.type !== 'reasoning-delta') {
      if (isOver && part.type === 'tool-input-start') drafts = [];
      isOver = false;
      drafts.push(part);
    }
  }
  return drafts;
}
