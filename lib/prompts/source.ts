/** What a grammar does: it yields where the text ends for now, and returns what it read. */
export type Reading<T> = Generator<void, T, void>;

export interface Hold {
  /** Counted from the text's beginning. */
  readonly position: number;
}

/** Thrown where the text turns out not to be what a grammar reads. One object, for it is thrown often. */
export const REFUSAL = new (class Refusal extends Error {
  override readonly name = 'Refusal';
})();

/** Text that arrives in pieces. What was read is let go, unless something holds on to it to come back. */
export abstract class Source {
  /** What is in sight. */
  text = '';
  /** Index in `text` of the next character. */
  at = 0;
  /** Characters let go so far. */
  #gone = 0;
  /** Where white space with a line break in it was skipped last, up to the next character. */
  #behindBreak = -1;
  /** Places to which somebody may come back, the oldest first. */
  readonly #holds: Hold[] = [];

  /** Waits for more text; false at the end. */
  abstract more(): Reading<boolean>;

  /** Whether somebody wanted to read on and there was nothing more. */
  abstract readonly ranOut: boolean;

  /** Where reading stands, counted from the beginning. */
  get position(): number {
    return this.#gone + this.at;
  }

  /** What was read since a held place. */
  since(hold: Hold): string {
    return this.text.slice(hold.position - this.#gone, this.at);
  }

  /** The oldest place that is held. */
  get oldestHold(): Hold | undefined {
    return this.#holds[0];
  }

  /** Keeps this place, so that reading can come back to it. */
  hold(): Hold {
    const hold = { position: this.position };
    this.#holds.push(hold);
    return hold;
  }

  /** Lets a place go; reading goes on where it stands. */
  release(hold: Hold): void {
    const index = this.#holds.lastIndexOf(hold);
    if (index !== -1) this.#holds.splice(index, 1);
  }

  /** Goes back to a held place, and lets it and all later ones go. */
  rewind(hold: Hold): void {
    const index = this.#holds.lastIndexOf(hold);
    if (index === -1) throw new Error('The place was let go.');
    this.at = hold.position - this.#gone;
    this.#holds.length = index;
  }

  /** The next character, '' at the end. */
  *peek(): Reading<string> {
    while (this.at >= this.text.length) if (!(yield* this.more())) return '';
    return this.text.charAt(this.at);
  }

  /** Waits until so many characters are in sight, or the end. */
  *see(count: number): Reading<void> {
    const start = this.hold();
    while (this.text.length - this.at < count && (yield* this.more()));
    this.release(start);
  }

  /** Reads a literal, or nothing of it. */
  *accept(literal: string): Reading<boolean> {
    const start = this.hold();
    for (let index = 0; index < literal.length; index++) {
      if ((yield* this.peek()) !== literal.charAt(index)) {
        this.rewind(start);
        return false;
      }
      this.at++;
    }
    this.release(start);
    return true;
  }

  /** Whether a literal stands here; nothing of it is read. */
  *sees(literal: string): Reading<boolean> {
    const start = this.hold();
    const isHere = yield* this.accept(literal);
    this.rewind(start);
    return isHere;
  }

  /** Skips white space, at most `limit` characters of it; resolves with the next character. */
  *skipSpace(limit = Number.POSITIVE_INFINITY): Reading<string> {
    const end = this.position + limit;
    for (;;) {
      while (this.at < this.text.length) {
        const code = this.text.charCodeAt(this.at);
        if (!isSpace(code) || this.position >= end) return this.text.charAt(this.at);
        this.at++;
        if (code === LINE_BREAK || this.isBehindBreak(1)) this.#behindBreak = this.position;
      }
      if (!(yield* this.more())) return '';
    }
  }

  /** Whether the white space that was skipped up to here, but for so many characters, holds a line break. */
  isBehindBreak(characters = 0): boolean {
    return this.#behindBreak === this.position - characters;
  }

  /** Reads characters while they fit, at most `limit`; undefined where there are more or the text ends. */
  *readWhile(fits: (character: string) => boolean, limit: number): Reading<string | undefined> {
    let read = '';
    for (;;) {
      const character = yield* this.peek();
      if (character === '') return undefined;
      if (!fits(character)) return read;
      if (read.length >= limit) return undefined;
      read += character;
      this.at++;
    }
  }

  protected append(piece: string): void {
    const oldest = this.#holds[0];
    const from = oldest === undefined ? this.at : Math.min(oldest.position - this.#gone, this.at);
    this.text = this.text.slice(from) + piece;
    this.at -= from;
    this.#gone += from;
  }
}

/** The reply itself, pushed from outside. */
export class ReplySource extends Source {
  readonly #checkHold: (source: ReplySource) => void;
  #ended = false;
  #ranOut = false;

  /** `checkHold` is asked before more text is waited for: it throws where too much is held. */
  constructor(checkHold: (source: ReplySource) => void) {
    super();
    this.#checkHold = checkHold;
  }

  get ranOut(): boolean {
    return this.#ranOut;
  }

  push(piece: string): void {
    this.append(piece);
  }

  end(): void {
    this.#ended = true;
  }

  *more(): Reading<boolean> {
    this.#checkHold(this);
    if (this.#ended) {
      this.#ranOut = true;
      return false;
    }
    yield;
    return true;
  }
}

const LINE_BREAK = 10;

export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff;
