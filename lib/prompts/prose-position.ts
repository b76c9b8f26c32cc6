import type { Where } from './forms.ts';
import { BREAK } from './inert.ts';
import { OPENINGS, openingAt } from './openings.ts';
import { isSpace } from './source.ts';

/** Closing characters of quotations and parentheses, by their opening characters. */
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
/** Quotes that also occur in words, as in “don’t” and 5". */
const AMBIGUOUS = new Set(['"', "'"]);

/** Positions that are not inside a line. */
const BETWEEN_LINES: ReadonlySet<Where> = new Set<Where>(['line', 'own line', 'behind call']);

/**
 * By UTF-16 code unit: whether the character can begin or end something inside a line (`ALWAYS`), or only at the beginning of
 * a word (`IN_WORD`).
 */
const MATTERS = new Uint8Array(0x10000);
const ALWAYS = 1;
const IN_WORD = 2;
for (const { character, where } of OPENINGS) {
  const isWord = where.every((position) => position === 'word');
  if (isWord) MATTERS[character.charCodeAt(0)] = IN_WORD;
  else if (!where.every((position) => BETWEEN_LINES.has(position))) MATTERS[character.charCodeAt(0)] = ALWAYS;
}
for (const character of ['\n\r', BREAK, ...QUOTES.keys(), ...QUOTES.values()].join(''))
  MATTERS[character.charCodeAt(0)] = ALWAYS;

/**
 * Checks whether a piece contains a character that can begin or end something, or a word that begins a form (`MATTERS`). The
 * word may be cut off at the end of the piece.
 */
function mayMatter(piece: string, before: string): boolean {
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index);
    const matters = MATTERS[code];
    if (matters === ALWAYS) return true;
    if (matters !== IN_WORD || !mayBeWord(piece, index)) continue;
    if (!/\w/.test(index === 0 ? before : piece.charAt(index - 1))) return true;
  }
  return false;
}

/** Checks whether a word that begins a form comes next in a piece, as far as the piece contains it. */
function mayBeWord(piece: string, index: number): boolean {
  const opening = openingAt(piece.charCodeAt(index));
  if (opening === undefined || !opening.isPromising(piece.charAt(index + 1))) return false;
  return opening.forms.some(({ form }) =>
    form.opener.some((word) => word.startsWith(piece.slice(index, index + word.length))),
  );
}

/**
 * The way in which a call, or another form, is embedded in the surrounding prose. `shown`: it is only quoted. An object: it
 * is quoted if `closing` follows it. `inline`: it is quoted if its line continues after it. `line`: it stands on its own.
 */
export type Setting = 'line' | 'inline' | 'shown' | { closing: string };

/** Tracks the current position in the visible text of a reply: in a line, in a quotation, in inline code. */
export class ProsePosition {
  /** Whether only white space has followed the last line break. */
  atLineStart = true;
  /** The previous character; empty at the beginning of a message. */
  before = '';
  /** Length of the backtick run that opened inline code on this line; 0 outside of inline code. */
  #inlineCode = 0;
  /** Length of the backtick run being read. */
  #backticks = 0;
  /** The character code of the last character that is not white space. */
  #last = 0;
  /** The character code of the last but one character that is not white space. */
  #lastButOne = 0;
  /** The closing character of the quotation that was opened on this line, or at the end of the previous one. */
  #quote: string | undefined;
  /** Whether only white space has followed since the quotation was opened. */
  #isQuoteFresh = false;
  /** Whether the line belongs to a block quotation or a table. */
  isSetApart = false;
  /** Width of the line's indentation; a tab counts as four. */
  #indent = 0;
  /** Whether the line repeats a marker that was broken in the prompt, and so repeats text that the model was given. */
  #isRepeated = false;

  /** Length of the backtick run that ends the inline code at this position; 0 outside of inline code. */
  get #codeRun(): number {
    if (this.#backticks === 0) return this.#inlineCode;
    if (this.#inlineCode === 0) return this.#backticks;
    return this.#inlineCode === this.#backticks ? 0 : this.#inlineCode;
  }

  /** Whether the position is inside inline code. */
  get isCode(): boolean {
    return this.#codeRun > 0;
  }

  /** Whether an indented line of code begins here. */
  get isIndented(): boolean {
    return this.atLineStart && this.#indent >= 4;
  }

  /** Whether the preceding text ends a sentence, or ends with a colon. */
  get isBehindSentence(): boolean {
    return '.!?:…。！？：'.includes(String.fromCharCode(this.#last));
  }

  /** Whether the preceding text ends a sentence; a colon does not count. */
  get isBehindStop(): boolean {
    return '.!?…。！？'.includes(String.fromCharCode(this.#last));
  }

  /** Whether the position is between words, where a marker is only mentioned. */
  get isBetweenWords(): boolean {
    return !this.atLineStart && /\s/.test(this.before);
  }

  /** Resets the state to the beginning of a line. */
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

  /** Continues after a call that was only shown; `behind` is its text. A quotation around it stays open. */
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

  /**
   * Moves the position behind a character: tracks line starts, quotes and inline code. A run of backticks opens inline code,
   * and an equally long run closes it.
   */
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

  /** Advances over a piece in which nothing can begin or end. If something can, returns false and changes nothing. */
  followPlain(piece: string): boolean {
    if (this.atLineStart || this.#backticks > 0 || this.#isQuoteFresh) return false;
    if (mayMatter(piece, this.before)) return false;
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

  /** Returns how a form that begins with this character is embedded in the surrounding prose. */
  settingOf(character: string): Setting {
    // A member of an object, or a value assigned in code, is only part of it.
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
