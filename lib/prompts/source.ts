/** A read in progress: it yields when it needs more text, and returns what it read. */
export type Reading<T> = Generator<void, T, void>;

/** A position to which reading can be rewound for as long as it is held. */
export interface Hold {
  /** The position in characters, counted from the beginning of the whole text. */
  readonly position: number;
}

/** Thrown when the text does not match a grammar. A single object, because it is thrown often. */
export const REFUSAL = new (class Refusal extends Error {
  override readonly name = 'Refusal';
})();

/** Text that arrives in chunks. Text that was read is discarded, unless a hold keeps it for a rewind. */
export abstract class Source {
  /** The buffered text. */
  text = '';
  /** Index in `text` of the next character. */
  at = 0;
  /** Whether `finish` has dropped the rest of the text. */
  hasDropped = false;
  /** Number of characters discarded so far. */
  #gone = 0;
  /** The position behind the last white space that was skipped and had a line break in it; -1 if there is none. */
  #behindBreak = -1;
  /** Positions to which reading may be rewound, oldest first. */
  readonly #holds: Hold[] = [];

  /** Waits for more text; returns false at the end. */
  abstract more(): Reading<boolean>;

  /** Whether a grammar has asked for more text after the end, so that what it was reading may have been cut off. */
  abstract readonly ranOut: boolean;

  /** The current position, counted from the beginning of the text. */
  get position(): number {
    return this.#gone + this.at;
  }

  /** The text read since a hold. */
  since(hold: Hold): string {
    return this.text.slice(hold.position - this.#gone, this.at);
  }

  /** The hold that was made first of those that are not released; undefined if there is none. */
  get oldestHold(): Hold | undefined {
    return this.#holds[0];
  }

  /** Holds the current position, so that reading can be rewound to it. */
  hold(): Hold {
    const hold = { position: this.position };
    this.#holds.push(hold);
    return hold;
  }

  /** Releases a hold without moving the position. */
  release(hold: Hold): void {
    const index = this.#holds.lastIndexOf(hold);
    if (index !== -1) this.#holds.splice(index, 1);
  }

  /** Rewinds to a hold, and releases it and all later ones. */
  rewind(hold: Hold): void {
    const index = this.#holds.lastIndexOf(hold);
    if (index === -1) throw new Error('The hold was released.');
    this.at = hold.position - this.#gone;
    this.#holds.length = index;
  }

  /** The next character; '' at the end. */
  *peek(): Reading<string> {
    while (this.at >= this.text.length) if (!(yield* this.more())) return '';
    return this.text.charAt(this.at);
  }

  /** Waits until `count` characters are buffered, or the text has ended. */
  *see(count: number): Reading<void> {
    const start = this.hold();
    while (this.text.length - this.at < count && (yield* this.more()));
    this.release(start);
  }

  /** Reads a literal if it comes next; otherwise reads nothing. */
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

  /** Checks whether a literal comes next; reads nothing. */
  *sees(literal: string): Reading<boolean> {
    const start = this.hold();
    const isHere = yield* this.accept(literal);
    this.rewind(start);
    return isHere;
  }

  /** Skips at most `limit` characters of white space. Returns the next character, which stays unread; '' at the end. */
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

  /**
   * Checks whether the white space that was skipped last has a line break in it, and ends `characters` before the current
   * position; by default, right here.
   */
  isBehindBreak(characters = 0): boolean {
    return this.#behindBreak === this.position - characters;
  }

  /** Reads characters as long as they fit. Undefined if more than `limit` fit, or if the text ends first. */
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

  /** Reads to the end of the text, whatever it contains, and drops it. */
  *finish(): Reading<void> {
    this.hasDropped = true;
    do this.at = this.text.length;
    while (yield* this.more());
  }

  /** Appends text, and discards what was read and is not held. */
  protected append(piece: string): void {
    const oldest = this.#holds[0];
    const from = oldest === undefined ? this.at : Math.min(oldest.position - this.#gone, this.at);
    this.text = this.text.slice(from) + piece;
    this.at -= from;
    this.#gone += from;
  }
}

/** The text of a reply. `push` adds text that has arrived, and `end` says that nothing more will arrive. */
export class ReplySource extends Source {
  readonly #checkHold: (source: ReplySource) => void;
  #ended = false;
  #ranOut = false;

  /** `checkHold` is called before waiting for more text; it throws if too much text is held. */
  constructor(checkHold: (source: ReplySource) => void) {
    super();
    this.#checkHold = checkHold;
  }

  /** Whether a grammar has asked for more text after the end. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  /** Appends what has arrived. */
  push(piece: string): void {
    this.append(piece);
  }

  /** Notes that nothing more will arrive. */
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

/** Checks whether a UTF-16 code unit is white space between the parts of a call. A byte order mark counts, too. */
export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff;
