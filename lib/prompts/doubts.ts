import { PARSER_LIMITS } from './limits.ts';
import type { ProtocolPart } from './protocol-part.ts';

/** A range of calls in a reply: from `from` up to, but not including, `to`. */
interface Group {
  from: number;
  to: number;
  /**
   * The source text of the fence that contains the calls: any text after it makes them doubtful. Undefined without a fence:
   * then only text on the same line makes them doubtful.
   */
  fence: string | undefined;
  /** The text before the calls, at most `PARSER_LIMITS.surroundings` characters. */
  before: string;
  /** The text that has followed the calls so far, at most `PARSER_LIMITS.surroundings` characters. */
  after: string;
}

/**
 * Finds the calls of a reply that may only be examples, because text follows them, and keeps the text around them. A call is
 * identified by its index among the calls of the reply.
 */
export class Doubts {
  /** The text since the last call, of which at least the last `PARSER_LIMITS.latest` characters are kept. */
  #before = '';
  /** Calls followed by nothing but white space so far. */
  #open: Group[] = [];
  readonly #doubtful: Group[] = [];

  /**
   * Records that the calls from index `from` up to, but not including, `to` were read. `endsLine`: the end of their line was
   * read, too, so that no later text makes them doubtful.
   */
  calls(from: number, to: number, endsLine: boolean): void {
    this.#open = this.#open.filter(({ fence }) => fence !== undefined);
    if (!endsLine) this.#add(from, to, undefined);
    this.#before = '';
  }

  /** Records calls in a fence, from index `from` up to, but not including, `to`. `fence`: the source text of the fence. */
  fence(from: number, to: number, fence: string): void {
    this.#open = this.#open.filter((group) => group.from < from);
    this.#add(from, to, fence);
    this.#before = '';
  }

  /**
   * Records text that was read. Calls become doubtful if the text follows them on the same line or, if they are in a fence,
   * anywhere.
   */
  text(piece: string): void {
    // Cutting it back at every piece would copy it every time.
    this.#before += piece;
    if (this.#before.length > 2 * PARSER_LIMITS.latest) this.#before = this.#before.slice(-PARSER_LIMITS.latest);
    if (this.#doubtful.length === 0 && this.#open.length === 0) return;
    for (const group of this.#doubtful)
      if (group.after.length < PARSER_LIMITS.surroundings)
        group.after = (group.after + piece).slice(0, PARSER_LIMITS.surroundings);
    if (this.#open.length === 0 || piece.trim() === '') return;
    const isSameLine = !/^\s*\n/.test(piece);
    for (const group of this.#open)
      if (group.fence !== undefined || isSameLine)
        this.#doubtful.push({ ...group, after: piece.slice(0, PARSER_LIMITS.surroundings) });
    this.#open = [];
  }

  /** The most recent text since the last call, in whole lines, at most `PARSER_LIMITS.latest` characters. */
  get latest(): string {
    const text = this.#before.slice(-PARSER_LIMITS.latest);
    return text.length < PARSER_LIMITS.latest ? text : text.slice(text.indexOf('\n') + 1);
  }

  /** Returns a part of the type `doubtful-call` for each doubtful call. To be called at the end of the reply. */
  parts(): ProtocolPart[] {
    return this.#doubtful.flatMap(({ from, to, fence = '…', before, after }) =>
      Array.from({ length: to - from }, (_, offset) => ({
        type: 'doubtful-call' as const,
        index: from + offset,
        excerpt: `${before}${fence}${after}`.trim(),
      })),
    );
  }

  #add(from: number, to: number, fence: string | undefined): void {
    if (to > from)
      this.#open.push({ from, to, fence, before: this.#before.slice(-PARSER_LIMITS.surroundings), after: '' });
  }
}
