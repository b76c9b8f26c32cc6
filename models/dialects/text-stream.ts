/** The length of the beginning by which a text that repeats all earlier pieces is recognized, in characters. */
const BEGINNING = 64;

/** Passes on a text that arrives in pieces. If a piece ends in the middle of a character, its half waits for the other half. */
export class TextStream {
  #length = 0;
  #beginning = '';
  /** The first half of a surrogate pair whose second half has not arrived; empty if there is none. */
  #half = '';

  /** Checks whether the next piece may be passed on as it is. */
  isWholeWith(piece: string): boolean {
    return this.#half === '' && piece.isWellFormed();
  }

  /** Takes a piece, and returns what can be passed on, in well-formed Unicode. */
  take(piece: string): string {
    if (piece === '') return '';
    if (this.#beginning.length < BEGINNING) this.#beginning = (this.#beginning + piece).slice(0, BEGINNING);
    this.#length += piece.length;
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
    return (this.#half === '' ? text : text.slice(0, -1)).toWellFormed();
  }

  /** Returns the part of a whole text that adds to the pieces before; empty if the text does not begin with them. */
  restOf(text: string): string {
    const repeats = text.length >= this.#length && text.startsWith(this.#beginning);
    return repeats ? text.slice(this.#length) : '';
  }

  /** Ends the text, and returns what was held back. */
  end(): string {
    return this.#half.toWellFormed();
  }
}
