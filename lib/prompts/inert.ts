/**
 * Text in a prompt may contain the markers that the model's template uses for turns, thoughts, calls and results. A
 * server that tokenizes the rendered template would take them for real ones. `makeInert` breaks such markers with an
 * invisible character after their first one; `Restorer` removes it from what the model writes. The mapping is
 * injective: where a character that begins a marker is already followed by the invisible character, a second one is
 * added.
 */

/**
 * The invisible character that breaks markers: U+2063, the invisible separator. No template uses it, and hardly any text does.
 */
export const BREAK = '\u2063';

/** Characters that markers begin with. */
const OPENINGS = '<[]◁';

/** Names between angle brackets that have a meaning in some template, or that a server reads as calls. */
const TAG_NAMES = [
  's|(?:\\w+:)?(?:bos|eos|pad|unk)(?:_token)?|mask(?::\\d+)?|cls|sep|eod|gmask|sop|image|audio|video|img|special_\\d+|\\w+_soft_token|escape',
  '(?:start|end|begin)_(?:of|function)_\\w+|__\\w+__|fim_\\w+|unused\\d+|reserved_\\w+|extra_id_\\d+',
  '(?:\\w+:)?(?:think|thinking|thought|reasoning)',
  '(?:\\w+:)?(?:tool|function)_?(?:calls?|responses?|outputs?|results?|declaration)|function|tools|longcat_\\w+',
  'arg_key|arg_value|invoke|parameter',
].join('|');

const BRACKET_NAMES =
  'INST|AVAILABLE_TOOLS|TOOL_?CALLS?|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|SYSTEM_PROMPT|THINK|PREFIX|MIDDLE|SUFFIX|' +
  'IMG|IMG_BREAK|IMG_END|BEGIN_AUDIO|AUDIO|BOS|EOS|PAD|UNK|MASK|CLS|SEP|gMASK|sMASK|CONTROL_\\d+|UNUSED_TOKEN_\\d+';

const MARKER = new RegExp(
  [
    // <|im_end|>, <｜User｜>, <|channel>, <turn|>
    `(?<=<)(?=[|｜][^<>\\n]{1,80}>)`,
    `(?<=<)(?=[\\w/"]{1,40}[|｜]>)`,
    `(?<=<)(?=/?(?:${TAG_NAMES})(?:[\\s=][^<>\\n]{0,200})?/?>)`,
    `(?<=<)(?=</?SYS>>)`,
    `(?<=\\[)(?=/?(?:${BRACKET_NAMES})\\])`,
    // [|system|], ]~b]user, [e~[
    `(?<=\\[)(?=\\|[^\\[\\]\\n]{1,40}\\|\\])`,
    `(?<=\\])(?=~!?b[\\[\\]])`,
    `(?<=\\[)(?=e~\\[)`,
    // The studio's own, around results and corrections.
    `(?<=\\[)(?=/?(?:tool_result|call_error)[\\s\\]])`,
    `(?<=◁)(?=/?think▷)`,
    // Markers that are broken already.
    `(?<=[${OPENINGS.replace(']', '\\]')}])(?=${BREAK})`,
  ].join('|'),
  'iy',
);

const OPENING = new RegExp(`[${OPENINGS.replace(']', '\\]')}]`, 'g');

/**
 * Returns the text with an invisible character (`BREAK`) after the first character of each marker of a model's template, such
 * as `<|im_end|>`, so that no server takes it for a real one. The same text always gives the same result, which `restore`
 * undoes. Looks for markers only behind characters that begin one: elsewhere, each position would be compared with all of them.
 */
export const makeInert = (text: string): string =>
  text.replace(OPENING, (opening, at: number) => {
    MARKER.lastIndex = at + 1;
    return MARKER.test(text) ? opening + BREAK : opening;
  });

/**
 * Applies `makeInert`, which breaks the markers of templates, to all strings in a JSON value, names of properties included.
 */
export function makeInertIn(value: unknown): unknown {
  if (typeof value === 'string') return makeInert(value);
  if (Array.isArray(value)) return value.map(makeInertIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [makeInert(key), makeInertIn(entry)]));
}

/**
 * Removes the invisible characters of `makeInert` from a text that arrives in chunks. Remembers the last character of a
 * chunk, because such a character may follow it in the next one.
 */
export class Restorer {
  #before = '';

  /** Takes a chunk; returns it without breaks. Nothing is held back. */
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

/**
 * Removes the invisible characters of `makeInert` from JSON text that arrives in chunks, in which any character may be
 * written as an escape.
 */
export class JsonRestorer {
  #before = '';
  /** The beginning of an escape that has not arrived completely; empty if there is none. */
  #escape = '';

  /** Takes a chunk; returns it without breaks, and without an escape at its end that is not complete yet. */
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

  /** Ends the text and returns what was held back. */
  end(): string {
    const rest = this.#escape;
    this.#escape = '';
    return rest;
  }
}

const isOpening = (character: string): boolean => character !== '' && OPENINGS.includes(character);

const isPartOfEscape = (written: string): boolean => written === '\\' || /^\\u[\da-f]{0,3}$/i.test(written);

/** Removes the invisible characters of `makeInert` from a complete text. */
export const restore = (text: string): string => new Restorer().push(text);

/** Removes the invisible characters of `makeInert` from complete JSON text, even if they are written as escapes. */
export function restoreJson(text: string): string {
  const restorer = new JsonRestorer();
  return restorer.push(text) + restorer.end();
}
