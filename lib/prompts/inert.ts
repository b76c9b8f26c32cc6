/**
 * Text that a model is given may hold what its template uses for turns, thoughts, calls and results. Where a server
 * tokenises the rendered template, that is taken for the real thing. `makeInert` breaks such markers with an invisible
 * character behind their first one; `Restorer` takes it out of what the model writes. It is injective: text that has
 * the character itself, behind a character that begins a marker, gets one more.
 */

/** U+2063, the invisible separator: it is in no template, and hardly in any text. */
export const BREAK = '\u2063';

/** What markers begin with. */
const OPENINGS = '<[◁';

/** Names between angle brackets that some template gives a meaning, or a server reads calls by. */
const TAG_NAMES = [
  's|bos|eos|pad|unk|mask|cls|sep|eod|gmask|sop|image|audio|video|img',
  '(?:start|end|begin)_of_\\w+|fim_\\w+|unused\\d+|reserved_\\w+|extra_id_\\d+',
  '(?:\\w+:)?(?:think|thinking|thought|reasoning)',
  '(?:\\w+:)?(?:tool|function)_?(?:calls?|responses?|outputs?)|(?:tool|function)_results|tools',
  'arg_key|arg_value|invoke|parameter',
].join('|');

const BRACKET_NAMES =
  'INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|SYSTEM_PROMPT|THINK|PREFIX|MIDDLE|SUFFIX|' +
  'IMG|IMG_BREAK|IMG_END|BEGIN_AUDIO|AUDIO|BOS|EOS|PAD|UNK|MASK|CLS|SEP|gMASK|sMASK|CONTROL_\\d+';

const MARKER = new RegExp(
  [
    // <|im_end|>, <｜User｜>, <|channel>, <turn|>
    `(?<=<)(?=[|｜][^<>\\n]{1,80}>)`,
    `(?<=<)(?=[\\w/"]{1,40}[|｜]>)`,
    `(?<=<)(?=/?(?:${TAG_NAMES})(?:[\\s=][^<>\\n]{0,200})?/?>)`,
    `(?<=<)(?=</?SYS>>)`,
    `(?<=\\[)(?=/?(?:${BRACKET_NAMES})\\])`,
    // The studio's own, around results and corrections.
    `(?<=\\[)(?=/?(?:tool_result|call_error)[ \\]])`,
    `(?<=◁)(?=/?think▷)`,
    // What has been broken already.
    `(?<=[${OPENINGS}])(?=${BREAK})`,
  ].join('|'),
  'gi',
);

/** The text with every marker broken. The same text always gives the same. */
export const makeInert = (text: string): string => text.replaceAll(MARKER, BREAK);

/** As `makeInert`, for all texts in a value of JSON. */
export function makeInertIn(value: unknown): unknown {
  if (typeof value === 'string') return makeInert(value);
  if (Array.isArray(value)) return value.map(makeInertIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, makeInertIn(entry)]));
}

/** Takes the breaks out of a text that comes in pieces. */
export class Restorer {
  #before = '';

  push(piece: string): string {
    if (!piece.includes(BREAK)) {
      if (piece !== '') this.#before = piece.charAt(piece.length - 1);
      return piece;
    }
    let text = '';
    for (const character of piece) {
      if (character !== BREAK || !isOpening(this.#before)) text += character;
      this.#before = character;
    }
    return text;
  }
}

/** As `Restorer`, for JSON text, in which any character may be written as an escape. */
export class JsonRestorer {
  #before = '';
  /** An escape of which not all has come. */
  #escape = '';

  push(piece: string): string {
    if (this.#escape === '' && !piece.includes('\\') && !piece.includes(BREAK)) {
      if (piece !== '') this.#before = piece.charAt(piece.length - 1);
      return piece;
    }
    let text = '';
    for (const character of piece) {
      const written = this.#escape + character;
      if (isPartOfEscape(written)) {
        this.#escape = written;
        continue;
      }
      this.#escape = '';
      const meant = written.startsWith('\\u') ? String.fromCharCode(Number.parseInt(written.slice(2), 16)) : written;
      if (meant !== BREAK || !isOpening(this.#before)) text += written;
      this.#before = meant;
    }
    return text;
  }

  /** What was held back, when the text has ended. */
  end(): string {
    const rest = this.#escape;
    this.#escape = '';
    return rest;
  }
}

const isOpening = (character: string): boolean => character !== '' && OPENINGS.includes(character);

const isPartOfEscape = (written: string): boolean => written === '\\' || /^\\u[\da-f]{0,3}$/i.test(written);

/** A text that is there as a whole, without its breaks. */
export const restore = (text: string): string => new Restorer().push(text);

/** As `restore`, for JSON text. */
export function restoreJson(text: string): string {
  const restorer = new JsonRestorer();
  return restorer.push(text) + restorer.end();
}
