import { BREAK } from './inert.ts';
import { isSpace } from './source.ts';

/** What ends a quotation, or a parenthesis, that such a character begins. */
const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['(', ')'],
  ['（', '）'],
]);
/** Those that stand in words, too, as in “don’t” and 5". */
const AMBIGUOUS = new Set(['"', "'"]);

/** Whether a piece has, or ends in what may become, the word before Phi’s list of calls. */
const mayBeginFunctools = (piece: string): boolean => /functools|f(?:u(?:n(?:c(?:t(?:o(?:ol?)?)?)?)?)?)?$/.test(piece);

/** The characters that can begin or end something inside a line. */
const MAY_MATTER = new Set([...'<{｛[`\n\r◁\ufeff', BREAK, ...QUOTES.keys(), ...QUOTES.values()]);

/**
 * How what begins here is set into the prose around it. `shown`: it is only quoted. A text: it is, if this follows it.
 * `inline`: it is, if its line goes on behind it. `line`: it stands for itself.
 */
export type Setting = 'line' | 'inline' | 'shown' | { closing: string };

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
  /** What ends the quotation that was opened on this line, or at the end of the one before. */
  #quote: string | undefined;
  /** Whether nothing but white space came since it was opened. */
  #isQuoteFresh = false;
  /** The line is a block quotation's, or a table's. */
  isSetApart = false;
  /** White space since the line's beginning, a tab being four. */
  #indent = 0;
  /** The line repeats a marker that was broken in the prompt, so it repeats something the model was given. */
  #isRepeated = false;

  /** Length of the run of backticks that inline code here ends with; 0 outside of it. */
  get #codeRun(): number {
    if (this.#backticks === 0) return this.#inlineCode;
    if (this.#inlineCode === 0) return this.#backticks;
    return this.#inlineCode === this.#backticks ? 0 : this.#inlineCode;
  }

  /** Whether it stands in inline code. */
  get isCode(): boolean {
    return this.#codeRun > 0;
  }

  /** Whether it stands where an indented line of code begins. */
  get isIndented(): boolean {
    return this.atLineStart && this.#indent >= 4;
  }

  /** Whether the last word before ended a sentence. */
  get isBehindSentence(): boolean {
    return '.!?:…。！？：'.includes(String.fromCharCode(this.#last));
  }

  /** Whether the last word before ended a sentence, and announced nothing. */
  get isBehindStop(): boolean {
    return '.!?…。！？'.includes(String.fromCharCode(this.#last));
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
    this.isSetApart = false;
    this.#indent = 0;
    this.#isRepeated = false;
  }

  /** Begins again behind something that was only shown: a quotation around it is still open. */
  resume(behind: string): void {
    const solid = behind.trimEnd();
    this.#lastButOne = solid.charCodeAt(solid.length - 2);
    this.#last = solid.charCodeAt(solid.length - 1);
    this.atLineStart = false;
    this.before = behind.charAt(behind.length - 1);
    this.#inlineCode = this.#codeRun;
    this.#backticks = 0;
    this.#isQuoteFresh = false;
  }

  /** Follows line starts, quotes and inline code, which a run of backticks opens and an equally long run closes. */
  follow(character: string): void {
    const code = character.charCodeAt(0);
    if (!isSpace(code)) this.#keepSolid(code);
    this.#followQuotes(character, isSpace(code));
    this.before = character;
    if (character === '`') {
      this.#backticks++;
    } else if (this.#backticks > 0) {
      if (this.#inlineCode === 0) this.#inlineCode = this.#backticks;
      else if (this.#inlineCode === this.#backticks) this.#inlineCode = 0;
      this.#backticks = 0;
    }
    if (this.atLineStart && (character === '>' || character === '|')) this.isSetApart = true;
    this.#indent = character === '\n' ? 0 : this.#indent + (character === '\t' ? 4 : 1);
    if (character === BREAK) this.#isRepeated = true;
    if (character === '\n') {
      this.atLineStart = true;
      this.#inlineCode = 0;
      this.isSetApart = false;
      this.#isRepeated = false;
    } else if (!isSpace(code)) {
      this.atLineStart = false;
    }
  }

  #followQuotes(character: string, isBlank: boolean): void {
    if (character === '\n') {
      if (!this.#isQuoteFresh) this.#quote = undefined;
      this.#isQuoteFresh = false;
      return;
    }
    if (isBlank) return;
    if (this.#quote !== undefined) {
      this.#isQuoteFresh = false;
      if (character === this.#quote) this.#quote = undefined;
      return;
    }
    if (AMBIGUOUS.has(character) && /[\p{L}\p{N}]/u.test(this.before)) return;
    this.#quote = QUOTES.get(character);
    this.#isQuoteFresh = this.#quote !== undefined;
  }

  /** Follows a piece in which nothing can begin or end; false, and nothing followed, where something can. */
  followPlain(piece: string): boolean {
    if (this.atLineStart || this.#backticks > 0 || this.#isQuoteFresh) return false;
    for (let index = 0; index < piece.length; index++) if (MAY_MATTER.has(piece.charAt(index))) return false;
    if (mayBeginFunctools(piece)) return false;
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

  /** How what this character begins is set into the prose around it. */
  settingOf(character: string): Setting {
    // A member of an object, or what is assigned in code, is part of that.
    if (
      (character === '{' || character === '｛' || character === '[') &&
      /^(":|:\[|.?=)$/.test(String.fromCharCode(this.#lastButOne, this.#last))
    )
      return 'shown';
    if (this.isSetApart || this.isIndented || this.#isRepeated || QUOTES.has(this.before)) return 'shown';
    if (this.isCode) return { closing: '`'.repeat(this.#codeRun) };
    if (this.#quote !== undefined) return { closing: this.#quote };
    return this.atLineStart ? 'line' : 'inline';
  }
}
