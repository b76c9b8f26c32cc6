import { isSpace } from './source.ts';

/** The ASCII characters that can begin or end something inside a line. */
const MAY_MATTER = Uint8Array.from({ length: 128 }, (_, code) =>
  '<{[`\n\r'.includes(String.fromCharCode(code)) ? 1 : 0,
);
/** What ends a quotation that such a character begins. */
const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['(', ')'],
]);

/** Where reading stands in prose: in a line, in a quotation, in inline code. */
export class ProsePosition {
  /** Only white space since the last line break. */
  atLineStart = true;
  /** The character before. */
  before = '';
  /** Length of the backtick run that opened inline code on this line; 0 outside. */
  #inlineCode = 0;
  /** Length of the run that is being read. */
  #backticks = 0;
  /** The codes of the last two characters that are not white space. */
  #last = 0;
  #lastButOne = 0;
  /** What ends the quotation that a marker stands in. */
  #quote: string | undefined;

  /** The line is a block quotation's, or a table's. */
  #isSetApart = false;
  /** White space since the line's beginning, a tab being four. */
  #indent = 0;

  /** Whether it stands where nothing is but shown: in inline code, a block quotation, a table. */
  get isShown(): boolean {
    return this.#inlineCode > 0 || this.#backticks > 0 || this.#isSetApart;
  }

  /** Whether it stands where an indented line of code begins. */
  get isIndented(): boolean {
    return this.atLineStart && this.#indent >= 4;
  }

  /** Whether the last word before ended a sentence. */
  get isBehindSentence(): boolean {
    return '.!?:…。！？：'.includes(String.fromCharCode(this.#last));
  }

  /** Whether it stands between words, where a marker is only spoken of. */
  get isBetweenWords(): boolean {
    return !this.atLineStart && /\s/.test(this.before);
  }

  /** Begins again, as at the beginning of a line. */
  reset(before = ''): void {
    this.atLineStart = true;
    this.before = before;
    this.#quote = undefined;
    this.#inlineCode = 0;
    this.#backticks = 0;
    this.#isSetApart = false;
    this.#indent = 0;
  }

  /** Follows line starts, quotes and inline code, which a run of backticks opens and an equally long run closes. */
  follow(character: string): void {
    const code = character.charCodeAt(0);
    if (!isSpace(code)) this.#keepSolid(code);
    this.before = character;
    if (character === this.#quote || character === '\n') this.#quote = undefined;
    if (character === '`') {
      this.#backticks++;
    } else if (this.#backticks > 0) {
      if (this.#inlineCode === 0) this.#inlineCode = this.#backticks;
      else if (this.#inlineCode === this.#backticks) this.#inlineCode = 0;
      this.#backticks = 0;
    }
    if (this.atLineStart && (character === '>' || character === '|')) this.#isSetApart = true;
    this.#indent = character === '\n' ? 0 : this.#indent + (character === '\t' ? 4 : 1);
    if (character === '\n') {
      this.atLineStart = true;
      this.#inlineCode = 0;
      this.#isSetApart = false;
    } else if (!isSpace(code)) {
      this.atLineStart = false;
    }
  }

  /** Follows a piece in which nothing can begin or end; false, and nothing followed, where something can. */
  followPlain(piece: string): boolean {
    if (this.atLineStart || this.#backticks > 0 || this.#quote !== undefined) return false;
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index);
      if (code < 128 ? MAY_MATTER[code] === 1 : code === 0x25c1 || code === 0xfeff) return false;
    }
    this.before = piece.charAt(piece.length - 1);
    let later = 0;
    for (let index = piece.length - 1; index >= 0; index--) {
      const code = piece.charCodeAt(index);
      if (isSpace(code)) continue;
      if (later !== 0) {
        this.#lastButOne = code;
        this.#last = later;
        return true;
      }
      later = code;
    }
    if (later !== 0) this.#keepSolid(later);
    return true;
  }

  #keepSolid(code: number): void {
    this.#lastButOne = this.#last;
    this.#last = code;
  }

  /** Whether what begins here is quoted: a quote stands before it, or stood before what came before it. */
  isQuoted(character: string): boolean {
    if (!'<{[◁'.includes(character)) return false;
    // A member of an object, or what is assigned in code, is part of that.
    if (
      (character === '{' || character === '[') &&
      /^(":|:\[|.?=)$/.test(String.fromCharCode(this.#lastButOne, this.#last))
    )
      return true;
    this.#quote ??= QUOTES.get(this.before);
    return this.#quote !== undefined;
  }
}
