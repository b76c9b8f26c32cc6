import type { CallWriter } from './call-writer.ts';
import { parseLoosely } from './coerce.ts';
import { closingQuote, isQuote, isWide, narrow } from './json-syntax.ts';
import { PARSER_LIMITS } from './limits.ts';
import { isSpace, type Reading, Source } from './source.ts';

/** The quote that Gemma 4 puts around all of its strings. */
const GEMMA_QUOTE = '<|"|>';

const isWord = (character: string): boolean => /[\w$.-]/.test(character);

/**
 * Reads a JSON object of arguments into a call, starting at its opening brace. Tolerates the JSON that models write:
 * other quotes or none, comments, line breaks in strings, unescaped inner quotes, missing or extra commas. Returns
 * whether the object was closed; false if the text ended inside it.
 */
export function* readArguments(source: Source, writer: CallWriter): Reading<boolean> {
  source.at++;
  for (;;) {
    const character = yield* skipFiller(source);
    if (character === '') return false;
    if (narrow(character) === '}') {
      source.at++;
      return true;
    }
    // The brace is missing: a tag closes the element around the object.
    if (character === '<') return true;
    const before = source.position;
    const key = yield* readKey(source);
    if (key === undefined) return false;
    if (key === '') {
      // No key starts with this character.
      if (source.position === before) source.at++;
      continue;
    }
    const next = yield* source.skipSpace();
    if (narrow(next) === ':' || next === '=') source.at++;
    if (!(yield* readMember(source, writer, key, isWide(next)))) return false;
  }
}

/** Skips white space, commas and comments; returns the next character. */
function* skipFiller(source: Source): Reading<string> {
  for (;;) {
    const character = yield* source.skipSpace();
    if (narrow(character) === ',') source.at++;
    else if ((character !== '/' && character !== '#') || !(yield* skipComment(source))) return character;
  }
}

/** Skips a comment of JavaScript or Python, if one comes next; returns whether one did. */
export function* skipComment(source: Source): Reading<boolean> {
  if ((yield* source.accept('//')) || (yield* source.accept('#'))) {
    while (!['', '\n'].includes(yield* source.peek())) source.at++;
    return true;
  }
  if (!(yield* source.accept('/*'))) return false;
  while (!(yield* source.accept('*/'))) {
    if ((yield* source.peek()) === '') return true;
    source.at++;
  }
  return true;
}

/** Reads a key, quoted or bare; '' if there is none, undefined if the text ends inside it or it is too long for a name. */
export function* readKey(source: Source): Reading<string | undefined> {
  const first = yield* source.peek();
  if (!isQuote(first)) return yield* source.readWhile(isWord, PARSER_LIMITS.name);
  const closing = closingQuote(first);
  source.at++;
  const key = yield* source.readWhile((character) => character !== closing, PARSER_LIMITS.name);
  if (key !== undefined) source.at++;
  return key;
}

/** Reads the value of an argument, after its colon. `hasWideColon`: the colon was a full-width one. */
function* readMember(source: Source, writer: CallWriter, key: string, hasWideColon: boolean): Reading<boolean> {
  const first = yield* source.skipSpace();
  if (first === '') return false;
  if (first === '<' && (yield* source.accept(GEMMA_QUOTE))) {
    return yield* readText(writer, key, (write) => readUntil(source, GEMMA_QUOTE, write));
  }
  if (!isQuote(first)) {
    const raw = yield* readRaw(source, hasWideColon ? WIDE_ENDS : ENDS);
    if (raw === undefined) return false;
    if (isNothing(raw)) return true;
    // If the argument is text, digits stay text: converting them to a number could lose some.
    writer.value(key, writer.takesOnlyText(key) && /^\s*[\d.+-]+\s*$/.test(raw) ? raw.trim() : looseValue(raw));
    return true;
  }
  return yield* readText(writer, key, (write) => readString(source, write));
}

/**
 * Checks whether there is no value, or only dots as a placeholder. The argument then counts as missing, which its tool
 * reports.
 */
const isNothing = (raw: string): boolean => /^\s*(\.{3,}|…)?\s*$/.test(raw);

/**
 * Reads a text with `read`, and writes it as the argument `key` of a call: piece by piece if the argument may be text,
 * otherwise as one converted value once it is complete. Returns false if the reply ends inside the text.
 */
export function* readText(
  writer: CallWriter,
  key: string,
  read: (write: (piece: string) => void) => Reading<boolean>,
): Reading<boolean> {
  if (writer.takesText(key)) {
    writer.beginText(key);
    if (!(yield* read((piece) => writer.text(piece)))) return false;
    writer.endText();
    return true;
  }
  const pieces: string[] = [];
  if (!(yield* read((piece) => pieces.push(piece)))) return false;
  writer.value(key, pieces.join(''));
  return true;
}

/**
 * Returns the value that an unquoted text stands for: that of JSON, which is repaired if necessary, or of Python, such as
 * `None`. Text that cannot be parsed stays text.
 */
export function looseValue(raw: string): unknown {
  const text = raw
    .trim()
    .split(GEMMA_QUOTE)
    .map((piece, index) => (index % 2 === 1 ? JSON.stringify(piece) : piece))
    .join('');
  if (text === 'True') return true;
  if (text === 'False') return false;
  if (text === 'None' || text === 'undefined') return null;
  const parsed = parseLoosely(text);
  return parsed === undefined ? text : parsed;
}

/**
 * Reads a string at its opening quote and passes its content to `write` as it arrives. Returns whether it was closed.
 * A quote closes the string only if JSON can continue after it, so unescaped inner quotes are part of the text.
 */
export function* readString(source: Source, write: (piece: string) => void): Reading<boolean> {
  const opening = yield* source.peek();
  if (yield* source.accept(opening.repeat(3))) return yield* readUntil(source, opening.repeat(3), write);
  const closing = closingQuote(opening);
  const closingCode = closing.charCodeAt(0);
  let hasQuotes = false;
  source.at++;
  for (;;) {
    const { text } = source;
    const from = source.at;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === closingCode || code === BACKSLASH) break;
    }
    source.at = at;
    if (at > from) write(text.slice(from, at));
    if (at >= text.length) {
      if (!(yield* source.more())) return false;
    } else if (text.charCodeAt(at) === BACKSLASH) {
      const escaped = yield* readEscape(source);
      if (escaped === undefined) return false;
      write(escaped);
    } else {
      source.at++;
      if (yield* stringEndsHere(source, hasQuotes)) return true;
      hasQuotes = true;
      write(closing);
    }
  }
}

const BACKSLASH = 92;

/** Reads everything up to and including a closing delimiter. */
function* readUntil(source: Source, closing: string, write: (piece: string) => void): Reading<boolean> {
  for (;;) {
    const end = source.text.indexOf(closing.charAt(0), source.at);
    const to = end === -1 ? source.text.length : end;
    if (to > source.at) write(source.text.slice(source.at, to));
    source.at = to;
    if ((yield* source.peek()) === '') return false;
    if (source.text.charAt(source.at) !== closing.charAt(0)) continue;
    if (yield* source.accept(closing)) return true;
    write(closing.charAt(0));
    source.at++;
  }
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['\\', '\\'],
  ['\n', '\n'],
]);

/**
 * Reads an escape at its backslash; one that is unknown to JSON stays literal text. Undefined if the text ends inside
 * it.
 */
export function* readEscape(source: Source): Reading<string | undefined> {
  source.at++;
  const letter = yield* source.peek();
  if (letter === '') return undefined;
  source.at++;
  if (letter !== 'u') return ESCAPES.get(letter) ?? `\\${letter}`;
  return yield* readCode(source, letter, 4);
}

/**
 * Reads `length` hexadecimal digits as a character; fewer digits stay literal text, behind a backslash and `letter`, the letter
 * of the escape, such as `u`. Undefined if the text ends inside them.
 */
export function* readCode(source: Source, letter: string, length: number): Reading<string | undefined> {
  let digits = '';
  while (digits.length < length) {
    const digit = yield* source.peek();
    if (digit === '') return undefined;
    if (!/[\da-f]/i.test(digit)) return `\\${letter}${digits}`;
    digits += digit;
    source.at++;
  }
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? `\\${letter}${digits}` : String.fromCodePoint(code);
}

/**
 * Checks, after a quote inside an object, whether the object can continue here, which means that the quote ended the
 * string. `hasQuotes`: the string already contains quotes that did not end it.
 */
function* stringEndsHere(source: Source, hasQuotes: boolean): Reading<boolean> {
  const start = source.hold();
  const ends = yield* canGoOn(source, hasQuotes);
  source.rewind(start);
  return ends;
}

function* canGoOn(source: Source, hasQuotes: boolean): Reading<boolean> {
  const before = source.position;
  const next = narrow(yield* source.skipSpace(PARSER_LIMITS.space));
  if (next === '}' || next === ']') {
    if (!hasQuotes) return true;
    // A string cannot start after a bracket: quote and bracket belong to an object inside the text, written unescaped.
    while (['}', ']'].includes(narrow(yield* source.skipSpace(PARSER_LIMITS.space)))) source.at++;
    return (yield* source.peek()) !== '"';
  }
  if (next === '') return true;
  if (next === ',') {
    source.at++;
    const after = narrow(yield* skipFiller(source));
    return after === '' || after === '}' || after === ']' || (yield* isKeyHere(source));
  }
  if (next === '<') return yield* source.accept('</tool_call>');
  if (next === '/') return (yield* source.accept('//')) || (yield* source.accept('/*'));
  // The comma at the end of a line is missing.
  return source.position > before && (yield* isKeyHere(source));
}

function* isKeyHere(source: Source): Reading<boolean> {
  const key = yield* readKey(source);
  if (key === undefined) return source.text.length === source.at;
  return key !== '' && !key.includes('\n') && ['', ':'].includes(narrow(yield* source.skipSpace(PARSER_LIMITS.space)));
}

/**
 * Characters that end an unquoted value. Full-width characters are part of the value, unless its colon was full-width.
 */
export const ENDS = ',}])';
/** Characters that end an unquoted value after a full-width colon. */
export const WIDE_ENDS = `${ENDS}，｝］】`;

/**
 * Reads a value that does not begin with a quote, such as a number, a list, or an object, as it is written. It ends before the
 * first of `ends` that is neither in quotes nor in brackets of the value's own or, if `source` is a `StringSource`, at the end
 * of its string. Undefined if the reply ends first.
 */
export function* readRaw(source: Source, ends = ENDS): Reading<string | undefined> {
  const pieces: string[] = [];
  let depth = 0;
  let quote = '';
  let escaped = false;
  let before = ',';
  /** Whether full-width characters count as syntax: if the value's colon or its bracket is full-width. */
  const hasWideSyntax = ends === WIDE_ENDS || isWide(source.text.charAt(source.at));
  for (;;) {
    const { text } = source;
    const from = source.at;
    let at = from;
    let ended = false;
    for (; at < text.length; at++) {
      const character = text.charAt(at);
      if (quote !== '') {
        if (escaped) escaped = false;
        else if (character === '\\') escaped = true;
        else if (character === quote) quote = '';
        continue;
      }
      if (depth === 0 && ends.includes(character)) {
        ended = true;
        break;
      }
      const syntax = hasWideSyntax ? narrow(character) : character;
      if (syntax === '"' || (syntax === "'" && ',:=[({'.includes(before))) quote = syntax;
      else if (hasWideSyntax && (character === '“' || character === '＂')) quote = closingQuote(character);
      else if (syntax === '{' || syntax === '[' || syntax === '(') depth++;
      else if (syntax === '}' || syntax === ']' || syntax === ')') depth--;
      if (!isSpace(text.charCodeAt(at))) before = syntax;
    }
    pieces.push(text.slice(from, at));
    source.at = at;
    if (ended) return pieces.join('');
    if (!(yield* source.more())) return source.ranOut ? undefined : pieces.join('');
  }
}

/**
 * A `Source` that reads the content of a string in another source without its escapes, for arguments that are written as
 * JSON text.
 */
export class StringSource extends Source {
  readonly #parent: Source;
  readonly #closing: string;
  #ended = false;
  #ranOut = false;

  /** `opening`: the quote that opens the string. `parent` is positioned after it. */
  constructor(parent: Source, opening: string) {
    super();
    this.#parent = parent;
    this.#closing = closingQuote(opening);
  }

  /** Whether the reply ended before the string did. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  *more(): Reading<boolean> {
    if (this.#ended) return false;
    const parent = this.#parent;
    const pieces: string[] = [];
    while (pieces.length === 0 || parent.at < parent.text.length) {
      if (parent.at >= parent.text.length && (yield* parent.peek()) === '') {
        this.#ended = true;
        this.#ranOut = true;
        break;
      }
      const from = parent.at;
      let at = from;
      while (at < parent.text.length && parent.text.charAt(at) !== '\\' && parent.text.charAt(at) !== this.#closing)
        at++;
      if (at > from) pieces.push(parent.text.slice(from, at));
      parent.at = at;
      if (at >= parent.text.length) continue;
      if (parent.text.charAt(at) === '\\') {
        const escaped = yield* readEscape(parent);
        if (escaped !== undefined) pieces.push(escaped);
        continue;
      }
      parent.at++;
      if (yield* stringEndsHere(parent, false)) {
        this.#ended = true;
        break;
      }
      pieces.push(this.#closing);
    }
    this.append(pieces.join(''));
    return pieces.length > 0;
  }
}
