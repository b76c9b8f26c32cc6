const TAB_STOP = 4;

/** Reads the beginning of a line in columns: a tab reaches to the next multiple of four, and can be consumed in part. */
export class LineCursor {
  readonly text: string;
  #offset = 0;
  #column = 0;
  #tabRest = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The width of the white space at the cursor, in columns. */
  get indent(): number {
    let columns = this.#tabRest;
    for (let at = this.#offset + (this.#tabRest > 0 ? 1 : 0); at < this.text.length; at++) {
      const char = this.text[at];
      if (char === ' ') columns++;
      else if (char === '\t') columns += TAB_STOP - ((this.#column + columns) % TAB_STOP);
      else break;
    }
    return columns;
  }

  /** The text after the white space. */
  get rest(): string {
    return this.text.slice(this.#offset).replace(/^[ \t]+/, '');
  }

  get isBlank(): boolean {
    return this.rest === '';
  }

  skipIndent(): void {
    this.advanceColumns(this.indent);
  }

  /** Consumes this many characters. */
  advance(characters: number): void {
    this.#offset += characters;
    this.#column += characters;
    this.#tabRest = 0;
  }

  /** Consumes this many columns of white space, at most `indent`. */
  advanceColumns(columns: number): void {
    for (let left = columns; left > 0; ) {
      const isTab = this.text[this.#offset] === '\t';
      const width = this.#tabRest > 0 ? this.#tabRest : isTab ? TAB_STOP - (this.#column % TAB_STOP) : 1;
      const taken = Math.min(width, left);
      left -= taken;
      this.#column += taken;
      this.#tabRest = width - taken;
      if (this.#tabRest === 0) this.#offset++;
    }
  }
}
