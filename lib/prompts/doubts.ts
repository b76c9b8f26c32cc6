import { PARSER_LIMITS } from './limits.ts';
import type { ProtocolPart } from './protocol-part.ts';

/** Some calls of a reply, from one index up to another. */
interface Group {
  from: number;
  to: number;
  /** The fence they stand in: any text behind them makes them doubtful. Otherwise only text on the same line does. */
  fence: string | undefined;
  before: string;
  after: string;
}

/** Finds calls that may only have been shown, because text follows them, with what stands around them. */
export class Doubts {
  /** The text that came last. */
  #before = '';
  /** Calls that nothing but white space has followed yet. */
  #open: Group[] = [];
  readonly #doubtful: Group[] = [];

  /** Calls at these indices were read. `endsLine`: so was the end of their line. */
  calls(from: number, to: number, endsLine: boolean): void {
    this.#open = this.#open.filter(({ fence }) => fence !== undefined);
    if (!endsLine) this.#add(from, to, undefined);
    this.#before = '';
  }

  /** Calls in a fence, which was written like this. */
  fence(from: number, to: number, fence: string): void {
    this.#open = this.#open.filter((group) => group.from < from);
    this.#add(from, to, fence);
    this.#before = '';
  }

  /** Text was read. */
  text(piece: string): void {
    for (const group of this.#doubtful)
      if (group.after.length < PARSER_LIMITS.surroundings)
        group.after = (group.after + piece).slice(0, PARSER_LIMITS.surroundings);
    this.#before = (this.#before + piece).slice(-PARSER_LIMITS.surroundings);
    if (this.#open.length === 0 || piece.trim() === '') return;
    const isSameLine = !/^\s*\n/.test(piece);
    for (const group of this.#open)
      if (group.fence !== undefined || isSameLine)
        this.#doubtful.push({ ...group, after: piece.slice(0, PARSER_LIMITS.surroundings) });
    this.#open = [];
  }

  /** One part for each doubtful call. */
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
    if (to > from) this.#open.push({ from, to, fence, before: this.#before, after: '' });
  }
}
